import Scene
import Messages

/// All settings of the daemon; `Configuration()` has the compiled defaults.
///
/// Each property is one key of the file; `Setting.all` has its range, unit and description.
public struct Configuration: Hashable, Sendable {
    /// Section `service`: the socket, its clients and their permissions.
    public var service = Service()
    /// Section `source`: whether measurements come from sensors or from the simulation.
    public var source = Source()
    /// Section `simulation`: the built-in simulation of a wearer.
    public var simulation = Simulation()
    /// Section `iio` and one for each sensor: inertial, magnetic and pressure sensors of the Linux IIO subsystem.
    public var iio = IIO()
    /// Section `gnss`: the GNSS receiver, read through gpsd.
    public var gnss = GNSS()
    /// Section `power`: lower sampling rates while no client receives poses.
    public var power = Power()
    /// Section `pose`: rates at which clients receive poses.
    public var pose = Pose()
    /// Sections `frame`, `route`, `places`, `placements`, `labels`, `announcements` and `anchors`: contents of the
    /// scene.
    public var scene = SceneSettings()
    /// Section `announcements`, with `scene`: the language of announcements.
    public var announcements = Announcements()
    /// Section `navigation`: the routing service of `waymark route to`.
    public var navigation = Navigation()
    /// Section `bridge`: outputs of `waymark-bridge`, all off by default.
    public var bridge = Bridge()
    /// Section `serve`: the live page of `waymark serve`.
    public var serve = Serve()
    /// Section `mqtt`: poses at an MQTT broker, by `waymark-mqtt`; off by default.
    public var mqtt = MQTT()
    /// Section `calibration`: use of the stored sensor calibrations.
    public var calibration = Calibration()
    /// Section `recording`: directory and conditions of recordings.
    public var recording = Recording()
    /// Section `state`: files that the daemon keeps from one run to the next.
    public var state = State()
    /// Paths of the files that were read; each overrides those before it.
    public var files: [String] = []
    /// Whether this is the embedded demonstration, which reads no files.
    public var isDemonstration = false

    /// The compiled defaults.
    public init() {}

    /// The socket, its clients and their permissions.
    public struct Service: Hashable, Sendable {
        /// Path of the Varlink socket.
        public var socket = "/run/waymark/waymark.sock"
        /// Whether poses are also in shared memory, for render threads.
        public var poseRing = true
        /// Path of the socket that hands out that memory; empty for a path beside `socket`.
        public var poseRingSocket = ""
        /// Permission bits of the socket.
        public var socketMode: UInt32 = 0o660
        /// Group of the socket, whose members may connect and read; empty for the group of the process.
        public var socketGroup = "waymark"
        /// Maximum number of connected clients.
        public var maxClients = 128
        /// Maximum number of subscriptions of all clients together.
        public var maxSubscriptions = 128
        /// Maximum number of connected clients of one user.
        public var maxClientsPerUser = 96
        /// Maximum number of subscriptions of one user.
        public var maxSubscriptionsPerUser = 96
        /// Maximum number of one user's calls that are being processed.
        public var maxPendingCallsPerUser = 16
        /// Maximum length of a message in bytes.
        public var maxMessageBytes = 65536
        /// Maximum number of unanswered calls of a client.
        public var maxPendingCallsPerClient = 32
        /// Time after which a client that has read nothing is disconnected.
        public var stuckClientSeconds = 30.0
        /// User who may change state besides root and the daemon's own user; empty for none.
        public var changeUser = ""
        /// Group whose members may change state, if they can connect; empty for none.
        public var changeGroup = "waymark-change"
        /// Group whose members may send aid measurements; not configurable.
        public static let aidGroup = "waymark-aid"
        /// Minimum severity that is logged.
        public var logLevel = LogLevel.info

        /// Path of the pose ring's socket: as configured, else beside the other one.
        public var poseRingPath: String {
            if !poseRingSocket.isEmpty { return poseRingSocket }
            return socket == Service().socket ? "/run/waymark/pose-ring.sock" : socket + ".ring"
        }
    }

    /// Severity of log lines, most severe first.
    public enum LogLevel: String, CaseIterable, Hashable, Sendable {
        case error, warning, notice, info, debug
    }

    /// Origin of the measurements.
    public struct Source: Hashable, Sendable {
        /// Sensors by default, so that a board without a configuration file never publishes simulated poses.
        public var kind = Kind.sensors
        /// Name of the source of `org.waymark.Aid` that provides the samples, in place of IIO devices; empty for none.
        public var samples = ""

        /// The two kinds of source.
        public enum Kind: String, CaseIterable, Hashable, Sendable {
            case sensors, simulation
        }
    }

    /// The simulation of a wearer.
    public struct Simulation: Hashable, Sendable {
        /// Seed of the random numbers: equal seeds give equal measurements.
        public var seed = 1
        /// Rate of accelerometer and gyroscope.
        public var inertialRateHz = 200
        /// Rate of the magnetometer.
        public var magnetometerRateHz = 50
        /// Rate of the receiver's fixes.
        public var gnssRateHz = 1
        /// Rate of the barometer.
        public var barometerRateHz = 10
        /// Whether the simulation includes objects along the way that distort the magnetic field.
        public var magneticDisturbances = true
        /// Constant error of the compass, clockwise. Unit: degrees.
        public var compassOffDegrees = 0.0
        /// Magnitude of a constant gyroscope bias. Unit: degrees per second.
        public var gyroOffDegreesPerSecond = 0.0
        /// Whether the wearer also has a camera with visual-inertial odometry.
        public var camera = false
        /// Motion of the wearer.
        public var motion = Motion.walk

        /// The simulated motions: walking, sitting, or riding in a vehicle.
        public enum Motion: String, CaseIterable, Hashable, Sendable {
            case walk, sit, ride
        }
    }

    /// The sensors of the Linux IIO subsystem.
    public struct IIO: Hashable, Sendable {
        /// Whether IIO sensors are used.
        public var enabled = true
        /// libiio's URI of the context: `local:`, `ip:HOST`, `usb:…`.
        public var context = "local:"
        /// Rotation from sensor axes to the body frame, row by row, for all sensors without their own; empty to use the
        /// one reported by the driver or udev.
        public var mountMatrix: [Double] = []
        /// Time without data after which a device is reported silent.
        public var silenceSeconds = 1.0
        /// Section `iio.accelerometer`.
        public var accelerometer = Sensor(rateHz: 200)
        /// Section `iio.gyroscope`.
        public var gyroscope = Sensor(rateHz: 200)
        /// Section `iio.magnetometer`.
        public var magnetometer = Sensor(rateHz: 50)
        /// Section `iio.pressure`.
        public var pressure = Barometer()

        /// A sensor with three axes.
        public struct Sensor: Hashable, Sendable {
            /// Name or identifier of its device; empty to find it by its channels.
            public var device = ""
            /// Label of its device; empty for any.
            public var label = ""
            /// Rate requested of the driver.
            public var rateHz: Double
            /// Rotation from sensor axes to the body frame, row by row; empty for the common one.
            public var mountMatrix: [Double] = []
            /// -1 for a sensor that reports the opposite of the measured quantity, else 1.
            public var sign = 1

            /// Any device, at this rate.
            public init(rateHz: Double) { self.rateHz = rateHz }
        }

        /// The barometer, which has no axes.
        public struct Barometer: Hashable, Sendable {
            /// Name or identifier of its device; empty to find it by its channels.
            public var device = ""
            /// Label of its device; empty for any.
            public var label = ""
            /// Rate requested of the driver.
            public var rateHz = 10.0

            /// Any device, at the default rate.
            public init() {}
        }
    }

    /// The GNSS receiver.
    public struct GNSS: Hashable, Sendable {
        /// Whether gpsd is used.
        public var enabled = true
        /// Host name or address of gpsd.
        public var host = "localhost"
        /// TCP port of gpsd.
        public var port = 2947
        /// Path of the receiver as gpsd names it; empty for all of gpsd's receivers.
        public var device = ""
        /// Time without a report after which a receiver is silent.
        public var silenceSeconds = 5.0
        /// Probability that the true value lies within the error bounds that gpsd reports.
        public var errorConfidence = 0.95
        /// Typical time from a fix's epoch to its arrival, used if the clocks do not determine it.
        public var latencySeconds = 0.2
        /// Lever arm from the inertial sensor to the antenna. Frame: body. Unit: metres.
        public var leverArmMetres = [0.0, 0.0, 0.0]
    }

    /// Sampling while no client receives poses.
    public struct Power: Hashable, Sendable {
        /// Whether sampling slows down.
        public var enabled = true
        /// Time without a client that receives poses after which sampling slows down.
        public var idleAfterSeconds = 10.0
        /// Idle rate of accelerometer and gyroscope.
        public var idleInertialRateHz = 50.0
        /// Idle rate of the magnetometer.
        public var idleMagnetometerRateHz = 10.0
        /// Idle rate of the barometer.
        public var idleBarometerRateHz = 2.0
    }

    /// Rates of published poses.
    public struct Pose: Hashable, Sendable {
        /// Default rate of a subscription.
        public var defaultRateHz = 60.0
        /// Maximum rate of a subscription.
        public var maxRateHz = 1000.0
    }

    /// Routing.
    public struct Navigation: Hashable, Sendable {
        /// Routing service in the notation of `RoutingService`; empty for none: routes are then straight lines.
        public var service = ""
        /// The service's profile, such as `foot`.
        public var profile = "foot"
        /// Time limit of a request.
        public var timeoutSeconds = 10.0
        /// Time off the route after which a new route is requested.
        public var offRoutePatienceSeconds = 5.0
        /// Minimum time between two requests.
        public var minimumIntervalSeconds = 20.0
    }

    /// Words of announcements; their timing belongs to the scene.
    public struct Announcements: Hashable, Sendable {
        /// Default language of clients.
        public var language = Language.english
    }

    /// Sensor calibrations.
    public struct Calibration: Hashable, Sendable {
        /// Whether stored calibrations are applied.
        public var apply = true
        /// Whether sensors are calibrated during operation.
        public var online = true
    }

    /// Recordings.
    public struct Recording: Hashable, Sendable {
        /// Directory of the recordings.
        public var directory = "/var/lib/waymark/recordings"
        /// Whether a recording begins with the first measurement.
        public var atStart = false
        /// Rate of recorded poses; 0 for every pose. Unit: Hz.
        public var poseRateHz = 10.0
        /// Free disk space below which recording stops.
        public var minimumFreeMegabytes = 256
    }

    /// State kept from one run to the next.
    public struct State: Hashable, Sendable {
        /// Directory of the state files.
        public var directory = "/var/lib/waymark"
        /// Whether the estimator resumes from the state of the previous run.
        public var warmStart = true
    }

    /// Configuration of the embedded demonstration: the simulated walk, for one user.
    ///
    /// - Parameters:
    ///   - socketFolder: folder of the socket.
    ///   - state: folder of all files that the daemon writes.
    public static func demonstration(socketFolder: String, state: String) -> Configuration {
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
    /// Settings whose values differ between this configuration and `other`.
    public func changes(to other: Configuration) -> [Setting] {
        Setting.all.filter { $0.written(self) != $0.written(other) }
    }

    /// Applies a reload: returns the configuration to run with, and the settings whose change needs a restart.
    ///
    /// - Parameter new: configuration as just read from the files.
    public func reloaded(with new: Configuration) -> (running: Configuration, waiting: [Setting]) {
        var running = new
        // Settings of other programs take effect when those programs are restarted.
        let waiting = changes(to: new).filter { $0.requiresRestart && ![.bridge, .serve, .mqtt].contains($0.section) }
        for setting in waiting { setting.value.copy(self, &running) }
        return (running, waiting)
    }
}
