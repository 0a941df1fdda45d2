/// Sections of the programs that pass poses on to other software. Each program is a client of the daemon and is off by
/// default.
extension Configuration {
    /// Settings of `waymark-bridge`, which sends poses in the protocols of other programs. An address has the form
    /// `ADDRESS:PORT`; an empty one turns its protocol off.
    package struct Bridge: Hashable, Sendable {
        package var allowRemote = false
        package var gpsd = ""
        package var nmeaTCP = ""
        package var nmeaSocket = ""
        package var nmeaTerminal = ""
        package var nmeaTalker = "GP"
        package var rateHz = 5.0
        package var openTrack = ""
        package var openTrackRateHz = 90.0
        package var openTrackPosition = false
        package var mavlink = ""
        package var mavlinkSystem = 1
        package var metrics = ""
        package var sensorProxy = false

        /// Returns an address without the prefix `udp:`, which MAVLink's own programs use.
        package static func withoutProtocol(_ address: String) -> String {
            address.hasPrefix("udp:") && address.utf8.count > 4 ? String(address.dropFirst(4)) : address
        }
    }

    package struct Serve: Hashable, Sendable {
        package var http = "127.0.0.1:8765"
        package var allowRemote = false
        package var requireToken = true
        package var tokenFile = ""
        package var hostNames = ""
        package var origins = ""
        package var allowChanges = false
        package var pictures = "/var/lib/waymark-serve/pictures"
        package var tiles = ""
    }

    package struct MQTT: Hashable, Sendable {
        package var publish = false
        package var brokers = ""
        package var allowUnencrypted = false
        package var id = ""
        package var topic = "waymark"
        package var username = ""
        package var authorityFile = ""
        package var certificateFile = ""
        package var keyFile = ""
        package var poseRateHz = 1.0
        package var poseMinimumMetres = 0.0
        package var ownTracks = false
        package var ownTracksIntervalSeconds = 30.0
        package var ownTracksMinimumMetres = 20.0
        package var stillIntervalSeconds = 300.0
        package var healthIntervalSeconds = 60.0
        package var gridMetres = 0.0
        package var privateAreas = ""
        package var directory = "/var/lib/waymark-mqtt"
        package var queueMegabytes = 64
    }
}
