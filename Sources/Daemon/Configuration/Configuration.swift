import Scene
import Messages

/// All settings of the daemon; `Configuration()` has the compiled defaults.
///
/// Each property is one key of the file; `Setting.all` has its range, unit and description.
public struct Configuration: Hashable, Sendable {
    package var service = Service()
    package var source = Source()
    package var simulation = Simulation()
    package var iio = IIO()
    package var gnss = GNSS()
    package var power = Power()
    package var pose = Pose()
    /// Sections `frame`, `route`, `places`, `placements`, `labels`, `announcements` and `anchors`: contents of the
    /// scene.
    package var scene = SceneSettings()
    /// Language of announcements. It is a key of section `announcements`, whose other keys are in `scene`.
    package var announcements = Announcements()
    package var navigation = Navigation()
    package var bridge = Bridge()
    package var serve = Serve()
    package var mqtt = MQTT()
    package var calibration = Calibration()
    package var recording = Recording()
    package var state = State()
    /// Paths of the files that were read. Each file overrides those before it.
    package var files: [String] = []
    /// Whether this is the embedded demonstration, which reads no files.
    package var isDemonstration = false

    /// The compiled defaults.
    public init() {}

    package struct Service: Hashable, Sendable {
        package var socket = "/run/waymark/waymark.sock"
        package var poseRing = true
        package var poseRingSocket = ""
        package var socketMode: UInt32 = 0o660
        package var socketGroup = "waymark"
        package var maxClients = 128
        package var maxSubscriptions = 128
        package var maxClientsPerUser = 96
        package var maxSubscriptionsPerUser = 96
        package var maxPendingCallsPerUser = 16
        package var maxMessageBytes = 65536
        package var maxPendingCallsPerClient = 32
        package var stuckClientSeconds = 30.0
        package var changeUser = ""
        package var changeGroup = "waymark-change"
        /// Group whose members may send aid measurements; not configurable.
        package static let aidGroup = "waymark-aid"
        package var logLevel = LogLevel.info

        /// Path of the pose ring's socket: the configured path, or one derived from the path of the daemon's main
        /// socket.
        package var poseRingPath: String {
            if !poseRingSocket.isEmpty { return poseRingSocket }
            return socket == Service().socket ? "/run/waymark/pose-ring.sock" : socket + ".ring"
        }
    }

    /// Severity of log lines, most severe first.
    package enum LogLevel: String, CaseIterable, Hashable, Sendable {
        case error, warning, notice, info, debug
    }

    package struct Source: Hashable, Sendable {
        /// Sensors by default, so that a board without a configuration file never publishes simulated poses.
        package var kind = Kind.sensors
        package var samples = ""

        package enum Kind: String, CaseIterable, Hashable, Sendable {
            case sensors, simulation
        }
    }

    package struct Simulation: Hashable, Sendable {
        package var seed = 1
        package var inertialRateHz = 200
        package var magnetometerRateHz = 50
        package var gnssRateHz = 1
        package var barometerRateHz = 10
        package var magneticDisturbances = true
        package var compassOffDegrees = 0.0
        package var gyroOffDegreesPerSecond = 0.0
        package var camera = false
        package var motion = Motion.walk

        package enum Motion: String, CaseIterable, Hashable, Sendable {
            case walk, sit, ride
        }
    }

    package struct IIO: Hashable, Sendable {
        package var enabled = true
        package var context = "local:"
        package var mountMatrix: [Double] = []
        package var silenceSeconds = 1.0
        package var accelerometer = Sensor(rateHz: 200)
        package var gyroscope = Sensor(rateHz: 200)
        package var magnetometer = Sensor(rateHz: 50)
        package var pressure = Barometer()

        /// A sensor with three axes.
        package struct Sensor: Hashable, Sendable {
            package var device = ""
            package var label = ""
            package var rateHz: Double
            package var mountMatrix: [Double] = []
            package var sign = 1

            package init(rateHz: Double) { self.rateHz = rateHz }
        }

        /// The barometer, which has no axes.
        package struct Barometer: Hashable, Sendable {
            package var device = ""
            package var label = ""
            package var rateHz = 10.0

            package init() {}
        }
    }

    package struct GNSS: Hashable, Sendable {
        package var enabled = true
        package var host = "localhost"
        package var port = 2947
        package var device = ""
        package var silenceSeconds = 5.0
        package var errorConfidence = 0.95
        package var latencySeconds = 0.2
        /// Lever arm from the inertial sensor to the antenna. Frame: body. Unit: metres.
        package var leverArmMetres = [0.0, 0.0, 0.0]
    }

    package struct Power: Hashable, Sendable {
        package var enabled = true
        package var idleAfterSeconds = 10.0
        package var idleInertialRateHz = 50.0
        package var idleMagnetometerRateHz = 10.0
        package var idleBarometerRateHz = 2.0
    }

    package struct Pose: Hashable, Sendable {
        package var defaultRateHz = 60.0
        package var maxRateHz = 1000.0
    }

    package struct Navigation: Hashable, Sendable {
        package var service = ""
        package var profile = "foot"
        package var timeoutSeconds = 10.0
        package var offRoutePatienceSeconds = 5.0
        package var minimumIntervalSeconds = 20.0
    }

    /// Language of announcements. Their timing is in `SceneSettings`.
    package struct Announcements: Hashable, Sendable {
        package var language = Language.english
    }

    package struct Calibration: Hashable, Sendable {
        package var apply = true
        package var online = true
    }

    package struct Recording: Hashable, Sendable {
        package var directory = "/var/lib/waymark/recordings"
        package var atStart = false
        package var poseRateHz = 10.0
        package var minimumFreeMegabytes = 256
    }

    package struct State: Hashable, Sendable {
        package var directory = "/var/lib/waymark"
        package var warmStart = true
    }

    /// Makes the configuration of the embedded demonstration: a simulated walk, for one user.
    ///
    /// - Parameters:
    ///   - socketFolder: folder of the socket.
    ///   - state: folder of all files that the daemon writes.
    package static func demonstration(socketFolder: String, state: String) -> Configuration {
        var configuration = Configuration()
        configuration.isDemonstration = true
        configuration.source.kind = .simulation
        configuration.service.socket = socketFolder + "/waymark.sock"
        configuration.service.socketMode = 0o600
        configuration.service.socketGroup = ""
        configuration.service.changeGroup = ""
        configuration.recording.directory = state + "/recordings"
        configuration.state.directory = state
        configuration.state.warmStart = false
        return configuration
    }
}

extension Configuration {
    /// Returns the settings whose values differ between this configuration and `other`.
    package func changes(to other: Configuration) -> [Setting] {
        Setting.all.filter { $0.written(self) != $0.written(other) }
    }

    /// Applies a reload: returns the configuration to run with, and the settings whose change needs a restart.
    ///
    /// - Parameter new: configuration as just read from the files.
    package func reloaded(with new: Configuration) -> (running: Configuration, waiting: [Setting]) {
        var running = new
        // Settings of other programs take effect when those programs are restarted.
        let waiting = changes(to: new).filter { $0.requiresRestart && ![.bridge, .serve, .mqtt].contains($0.section) }
        for setting in waiting { setting.copy(self, &running) }
        return (running, waiting)
    }
}
