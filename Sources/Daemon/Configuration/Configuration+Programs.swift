/// Sections of the programs that deliver poses to others, each a client of the daemon. They are off by default.
extension Configuration {
    /// Poses in the protocols of other programs, by `waymark-bridge`. Addresses are `ADDRESS:PORT`; empty for off.
    public struct Bridge: Hashable, Sendable {
        /// Whether addresses beyond the loopback interface are permitted.
        public var allowRemote = false
        /// Address of the server for gpsd's clients.
        public var gpsd = ""
        /// Address of the NMEA 0183 server.
        public var nmeaTCP = ""
        /// Path of a Unix socket for NMEA 0183.
        public var nmeaSocket = ""
        /// Path of a link to a pseudo-terminal for NMEA 0183.
        public var nmeaTerminal = ""
        /// Talker of the sentences, two upper-case letters.
        public var nmeaTalker = "GP"
        /// Reports per second to gpsd's clients, and groups of sentences per second.
        public var rateHz = 5.0
        /// Destination of OpenTrack's datagrams.
        public var openTrack = ""
        /// Datagrams per second.
        public var openTrackRateHz = 90.0
        /// Whether OpenTrack's datagrams carry the position in the scene.
        public var openTrackPosition = false
        /// Destination of MAVLink's messages.
        public var mavlink = ""
        /// MAVLink system ID of the sender.
        public var mavlinkSystem = 1
        /// Address of the HTTP server for metrics.
        public var metrics = ""
        /// Whether the D-Bus service of iio-sensor-proxy is provided.
        public var sensorProxy = false

        /// An address without the `udp:` that MAVLink's own programs write before it.
        public static func withoutProtocol(_ address: String) -> String {
            address.hasPrefix("udp:") && address.utf8.count > 4 ? String(address.dropFirst(4)) : address
        }
    }

    /// Live page and Foxglove's protocol, by `waymark serve`.
    public struct Serve: Hashable, Sendable {
        /// Address of both, `ADDRESS:PORT`.
        public var http = "127.0.0.1:8765"
        /// Whether an address beyond the loopback interface is permitted.
        public var allowRemote = false
        /// Whether the address has to carry a token; always required beyond the loopback interface.
        public var requireToken = true
        /// File with the token; empty: a new one at each start.
        public var tokenFile = ""
        /// Names of this host in the addresses that browsers may use, separated by spaces.
        public var hostNames = ""
        /// Origins of other hosts' pages that may connect by Foxglove's protocol, separated by spaces.
        public var origins = ""
        /// Whether pages may set the wearer's destination.
        public var allowChanges = false
        /// Folder with pictures of places; empty: none.
        public var pictures = "/var/lib/waymark-serve/pictures"
        /// File with the tiles of a map (MBTiles or PMTiles); empty: none.
        public var tiles = ""
    }

    /// Poses, state and events at an MQTT broker, by `waymark-mqtt`.
    public struct MQTT: Hashable, Sendable {
        /// Whether the user has agreed to publish positions beyond this computer.
        public var publish = false
        /// Addresses of the brokers in the notation of `BrokerAddress`, separated by spaces.
        public var brokers = ""
        /// Whether a broker that is not on this computer may be reached without encryption.
        public var allowUnencrypted = false
        /// Identifier of the wearer; empty for one derived from this computer.
        public var id = ""
        /// First part of the topics.
        public var topic = "waymark"
        /// User name at the broker; empty for the one from the credentials, if any.
        public var username = ""
        /// File of the brokers' certificate authorities; empty for the one from the credentials, else the system's.
        public var authorityFile = ""
        /// File of the client's certificate; empty for the one from the credentials, if any.
        public var certificateFile = ""
        /// File of the certificate's private key; empty for the one from the credentials, if any.
        public var keyFile = ""
        /// Poses per second.
        public var poseRateHz = 1.0
        /// Minimum movement between two poses.
        public var poseMinimumMetres = 0.0
        /// Whether locations are published for OwnTracks as well.
        public var ownTracks = false
        /// Minimum interval of these locations.
        public var ownTracksIntervalSeconds = 30.0
        /// Minimum movement between two locations.
        public var ownTracksMinimumMetres = 20.0
        /// Time after which a pose or a location is published without movement.
        public var stillIntervalSeconds = 300.0
        /// Interval of health messages.
        public var healthIntervalSeconds = 60.0
        /// Size of the grid to which positions are rounded; 0 for none.
        public var gridMetres = 0.0
        /// Areas whose positions are not published, in the notation of `PrivateArea`.
        public var privateAreas = ""
        /// Directory of the queue.
        public var directory = "/var/lib/waymark-mqtt"
        /// Maximum size of waiting messages.
        public var queueMegabytes = 64
    }
}
