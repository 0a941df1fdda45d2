import Scene

/// All settings of the daemon; what `Configuration()` holds are the compiled defaults.
///
/// Each property is one key of the file, described in `Setting.all`: range, unit and meaning stand there.
public struct Configuration: Hashable, Sendable {
    /// The socket, its clients, and who may change things.
    public var service = Service()
    /// Whether measurements come from sensors or from the simulation.
    public var source = Source()
    /// The built-in simulation of a wearer.
    public var simulation = Simulation()
    /// Inertial, magnetic and pressure sensors of the Linux IIO subsystem.
    public var iio = IIO()
    /// The GNSS receiver, read through gpsd.
    public var gnss = GNSS()
    /// Lower sampling rates while no client takes poses.
    public var power = Power()
    /// Rates at which clients get poses.
    public var pose = Pose()
    /// Of what wearers see: the sections frame, route, places, placements, labels, announcements
    /// and anchors.
    public var scene = SceneSettings()
    /// What `waymark route to` asks for its routes.
    public var navigation = Navigation()
    /// Use of the stored sensor calibrations.
    public var calibration = Calibration()
    /// Where recordings are written, and when.
    public var recording = Recording()
    /// What the daemon keeps from one run to the next.
    public var state = State()
    /// The files that were read, in the order in which each overrides those before it.
    public var files: [String] = []

    public init() {}

    public struct Service: Hashable, Sendable {
        public var socket = "/run/waymark/waymark.sock"
        /// Permission bits.
        public var socketMode: UInt32 = 0o660
        /// Empty: the group of the process.
        public var socketGroup = "waymark"
        public var maxClients = 128
        public var maxSubscriptions = 128
        public var maxMessageBytes = 65536
        public var maxPendingCallsPerClient = 32
        public var stuckClientSeconds = 30.0
        /// Who may change things besides root and the daemon's own user; empty: nobody by user.
        public var changeUser = ""
        /// Whose members may change things; empty: nobody by group.
        public var changeGroup = "waymark"
        public var logLevel = LogLevel.info
    }

    public enum LogLevel: String, CaseIterable, Hashable, Sendable {
        case error, warning, notice, info, debug
    }

    public struct Source: Hashable, Sendable {
        /// Sensors, so that a board whose file is missing never publishes made-up poses.
        public var kind = Kind.sensors

        public enum Kind: String, CaseIterable, Hashable, Sendable {
            case sensors, simulation
        }
    }

    public struct Simulation: Hashable, Sendable {
        public var seed = 1
        public var inertialRateHz = 200
        public var magnetometerRateHz = 50
        public var gnssRateHz = 1
        public var barometerRateHz = 10
        public var magneticDisturbances = true
        public var motion = Motion.walk

        public enum Motion: String, CaseIterable, Hashable, Sendable {
            case walk, sit, ride
        }
    }

    public struct IIO: Hashable, Sendable {
        public var enabled = true
        /// As libiio takes it: `local:`, `ip:HOST`, `usb:…`.
        public var context = "local:"
        /// Names of devices; empty: found by their channels.
        public var accelerometer = ""
        public var gyroscope = ""
        public var magnetometer = ""
        public var barometer = ""
        public var inertialRateHz = 200.0
        public var magnetometerRateHz = 50.0
        public var barometerRateHz = 10.0
        /// Row by row, sensor axes to body axes; empty: what the device says.
        public var mountMatrix: [Double] = []
        public var silenceSeconds = 1.0
    }

    public struct GNSS: Hashable, Sendable {
        public var enabled = true
        public var host = "localhost"
        public var port = 2947
        /// Path of the receiver as gpsd knows it; empty: all of gpsd's receivers.
        public var device = ""
        public var silenceSeconds = 5.0
        /// Probability with which the truth lies within the errors that gpsd states.
        public var errorConfidence = 0.95
        /// Typical delay from a fix's epoch to its arrival, for clocks that do not tell it.
        public var latencySeconds = 0.2
        /// From the inertial sensor to the antenna. Frame: body. Unit: metres.
        public var leverArmMetres = [0.0, 0.0, 0.0]
    }

    public struct Power: Hashable, Sendable {
        public var enabled = true
        public var idleAfterSeconds = 10.0
        public var idleInertialRateHz = 50.0
        public var idleMagnetometerRateHz = 10.0
        public var idleBarometerRateHz = 2.0
    }

    public struct Pose: Hashable, Sendable {
        public var defaultRateHz = 60.0
        public var maxRateHz = 1000.0
    }

    public struct Navigation: Hashable, Sendable {
        /// As `RoutingService` reads it; empty: none.
        public var service = ""
        public var profile = "foot"
        public var timeoutSeconds = 10.0
        public var offRoutePatienceSeconds = 5.0
        public var leastIntervalSeconds = 20.0
    }

    public struct Calibration: Hashable, Sendable {
        public var apply = true
        public var online = true
    }

    public struct Recording: Hashable, Sendable {
        public var directory = "/var/lib/waymark/recordings"
        /// From the first measurement on.
        public var atStart = false
        public var minimumFreeMegabytes = 256
    }

    public struct State: Hashable, Sendable {
        public var directory = "/var/lib/waymark"
        public var warmStart = true
    }

    /// The embedded demonstration: the simulated walk, for one user, with everything it keeps below `directory`.
    public static func demonstration(directory: String) -> Configuration {
        var configuration = Configuration()
        configuration.source.kind = .simulation
        configuration.service.socket = directory + "/waymark.sock"
        configuration.service.socketMode = 0o600
        configuration.service.socketGroup = ""
        configuration.service.changeGroup = ""
        configuration.recording.directory = directory + "/recordings"
        configuration.state.directory = directory
        configuration.state.warmStart = false
        return configuration
    }
}
