/// Sections of the programs that bring poses to others, each a client of the daemon. They are off by default.
extension Configuration {
    /// Poses in the protocols of other programs, by `waymark-bridge`. Addresses are `ADDRESS:PORT`; empty: off.
    public struct Bridge: Hashable, Sendable {
        /// Whether addresses beyond the loopback interface are permitted.
        public var allowRemote = false
        /// Address at which gpsd's clients are served.
        public var gpsd = ""
        /// Address at which NMEA 0183 is served.
        public var nmeaTCP = ""
        /// Path of a Unix socket at which NMEA 0183 is served.
        public var nmeaSocket = ""
        /// Path of a link to a pseudo terminal that carries NMEA 0183.
        public var nmeaTerminal = ""
        /// Talker of the sentences, two upper-case letters.
        public var nmeaTalker = "GP"
        /// Reports per second to gpsd's clients, and groups of sentences per second.
        public var rateHz = 5.0
        /// Address to which OpenTrack's datagrams are sent.
        public var openTrack = ""
        /// Datagrams per second.
        public var openTrackRateHz = 90.0
        /// Whether datagrams carry the position in the scene.
        public var openTrackPosition = false
        /// Address to which MAVLink's messages are sent.
        public var mavlink = ""
        /// Number of the system that sends them.
        public var mavlinkSystem = 1
        /// Address at which metrics are served over HTTP.
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
        /// Address at which both are served, `ADDRESS:PORT`.
        public var http = "127.0.0.1:8765"
        /// Whether an address beyond the loopback interface is permitted.
        public var allowRemote = false
        /// Whether the address has to carry a token; never without one beyond the loopback interface.
        public var requireToken = true
        /// File with the token; empty: a new one at each start.
        public var tokenFile = ""
        /// Names of this host by which browsers may call it, separated by spaces.
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
        /// Whether the user has agreed that positions leave this computer.
        public var publish = false
        /// Addresses of the brokers in the notation of `BrokerAddress`, separated by spaces.
        public var brokers = ""
        /// Whether a broker that is not on this computer may be reached without encryption.
        public var allowUnencrypted = false
        /// Identifier of the wearer; empty: one of this computer.
        public var id = ""
        /// First part of the topics.
        public var topic = "waymark"
        /// User name at the broker; empty: that of the credentials, else none.
        public var username = ""
        /// File of the authorities of brokers; empty: that of the credentials, else those of the system.
        public var authorityFile = ""
        /// File of the client's certificate; empty: that of the credentials, else none.
        public var certificateFile = ""
        /// File of the certificate's private key; empty: that of the credentials, else none.
        public var keyFile = ""
        /// Poses per second.
        public var poseRateHz = 1.0
        /// Movement since the last pose that the next one needs.
        public var poseLeastMetres = 0.0
        /// Whether locations are published for OwnTracks as well.
        public var ownTracks = false
        /// Least time between two of these locations.
        public var ownTracksIntervalSeconds = 30.0
        /// Movement since the last location that the next one needs.
        public var ownTracksLeastMetres = 20.0
        /// Time after which a pose or a location is published without movement.
        public var stillIntervalSeconds = 300.0
        /// Interval of health messages.
        public var healthIntervalSeconds = 60.0
        /// Size of the grid that positions are reduced to; 0 for none.
        public var gridMetres = 0.0
        /// Areas without positions, in the notation of `PrivateArea`.
        public var privateAreas = ""
        /// Directory of the queue.
        public var directory = "/var/lib/waymark-mqtt"
        /// Size limit of the messages that wait.
        public var queueMegabytes = 64
    }
}
