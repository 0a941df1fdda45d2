import Geometry
import Model

/// Producer of measurements, which it pushes into a queue from threads of its own.
public protocol MeasurementSource: AnyObject, Sendable {
    /// Starts the threads and returns at once; missing devices are searched for until `stop`.
    func start()
    /// Requests the threads to end, without waiting.
    func requestStop()
    /// Ends the threads; returns when they have ended or the time is over. A thread in a blocking call ends when the
    /// call returns.
    func stop(timeoutSeconds: Double)
    /// Requests a sampling pace; returns at once.
    func setPace(_ pace: SamplingPace)
    /// State and statistics of each device.
    var reports: [DeviceReport] { get }
    /// Whether no more measurements will follow: true at the end of a recording, never for sensors.
    var hasEnded: Bool { get }
}

extension MeasurementSource {
    /// False: sensors do not end.
    public var hasEnded: Bool { false }

    /// Does nothing, for sources that cannot choose their rate.
    public func setPace(_ pace: SamplingPace) {}

    /// Ends the threads, with the default time limit of 0.5 s.
    public func stop() { stop(timeoutSeconds: 0.5) }
}

/// State and statistics of one device or receiver, for the user.
public struct DeviceReport: Hashable, Sendable {
    /// Name of the device, or of the missing sensor kind.
    public var name: String
    /// Address of the device, such as `iio:device0`, `gpsd 127.0.0.1:2947` or `aid phone gyroscope`.
    public var identifier: String
    /// Whether the device delivers samples.
    public var state: State
    /// Reason for the state, and remedy if there is one.
    public var detail: String?
    /// Channels that are read.
    public var channels: [Channel]
    /// Sampling rate requested of the driver. Unit: Hz.
    public var requestedRate: Double?
    /// Sampling rate as rounded by the driver, or as observed. Unit: Hz.
    public var grantedRate: Double?
    /// Driver's refusal of the requested rate, with attribute, value and error; nil if there was none.
    public var rateProblem: String?
    /// Sampling method of the device; nil until it is known, and for receivers.
    public var sampling: Sampling?
    /// Number of samples read at once; nil if the channels are polled.
    public var batchSize: Int?
    /// Rotation from sensor axes to the body frame, nine elements row by row.
    public var mountMatrix: [Double]?
    /// Mount matrix of each sensor kind of the device; they may differ.
    public var mountMatrices: [SensorKind: [Double]]
    /// Axes of each sensor of the device, in the order of the kinds.
    public var axes: [Axes]
    /// Label from the board's device tree or firmware; constant across boots.
    public var label: String?
    /// Serial number of the board; constant across boots.
    public var serial: String?
    /// Location that the driver reports, such as `base` or `lid`; constant across boots.
    public var location: String?
    /// Latest temperature of the chip. Unit: degrees Celsius.
    public var temperature: Double?
    /// Origin of the mount matrix: `configuration`, `device`, `udev`, `sibling` (another sensor of the chip) or `none`.
    public var mountMatrixOrigin: String?
    /// Clock of the timestamps: `boottime`, `monotonic`, `realtime` or `host` (stamped on arrival).
    public var clock: String?
    /// Number of samples delivered since the start.
    public var samples: UInt64
    /// Number of intervals longer than twice the expected one.
    public var gaps: UInt64
    /// Number of samples lost because the queue was full.
    public var dropped: UInt64
    /// Timestamp of the latest sample.
    public var lastSample: BootTime?

    /// A report without samples.
    public init(name: String, identifier: String, state: State) {
        self.name = name
        self.identifier = identifier
        self.state = state
        channels = []
        mountMatrices = [:]
        axes = []
        samples = 0
        gaps = 0
        dropped = 0
    }

    /// Delivery state of a device.
    public enum State: String, Hashable, Sendable {
        /// The device is not present; it is being searched for.
        case searching
        /// Samples arrive, by buffer or from gpsd.
        case streaming
        /// Samples are read from attributes, one by one.
        case polling
        /// The device is present but delivers nothing.
        case silent
        /// The device cannot be used; `detail` has the error.
        case failed
    }

    /// Sampling method of a device.
    public struct Sampling: Hashable, Sendable {
        /// The way in which samples are taken.
        public var method: Method
        /// Name of the trigger; nil without one.
        public var trigger: String?
        /// Reason why no better method is used, and how to enable one; nil if there is none.
        public var reason: String?
        /// Whether the device's buffer needs a trigger and there is none.
        public var isTriggerMissing: Bool

        /// Collects the parts.
        public init(
            _ method: Method, trigger: String? = nil, reason: String? = nil, isTriggerMissing: Bool = false
        ) {
            self.method = method
            self.trigger = trigger
            self.reason = reason
            self.isTriggerMissing = isTriggerMissing
        }

        /// Sampling methods.
        public enum Method: String, Hashable, Sendable {
            /// The device fills its buffer by itself, for example with a FIFO.
            case device
            /// The buffer is filled by the trigger of the device's interrupt.
            case deviceTrigger
            /// The buffer is filled by an hrtimer trigger of this service.
            case timerTrigger
            /// The buffer is filled by a trigger that another program has set.
            case otherTrigger
            /// Attributes are read one by one.
            case polling
            /// Another program offers the samples.
            case program
        }
    }

    /// Mounting of a sensor with three axes: body = mount matrix · (sign · sensor).
    public struct Axes: Hashable, Sendable {
        /// The sensor.
        public var kind: SensorKind
        /// Rotation from sensor axes to the body frame, nine elements row by row.
        public var mountMatrix: [Double]
        /// Origin of the mount matrix, as in `DeviceReport`.
        public var origin: String
        /// -1 for a sensor that reports the opposite of the measured quantity, else 1.
        public var sign: Int
        /// Whether the origin's matrix is a mirror image; `mountMatrix` is then its opposite.
        public var isMirrored: Bool

        /// Collects the parts.
        public init(kind: SensorKind, mountMatrix: [Double], origin: String, sign: Int = 1, isMirrored: Bool = false) {
            self.kind = kind
            self.mountMatrix = mountMatrix
            self.origin = origin
            self.sign = sign
            self.isMirrored = isMirrored
        }
    }

    /// One channel: encoding, scale and offset.
    public struct Channel: Hashable, Sendable {
        /// The kernel's name, such as `accel_x`.
        public var name: String
        /// The kernel's notation of the encoding, such as `le:s16/16>>0`; nil if the channel is polled.
        public var format: String?
        /// Factor from counts to the kernel's unit (m/s², rad/s, gauss, kilopascal).
        public var scale: Double
        /// Offset in counts, added before scaling.
        public var offset: Double

        /// Collects the parts of a description.
        public init(name: String, format: String?, scale: Double, offset: Double) {
            self.name = name
            self.format = format
            self.scale = scale
            self.offset = offset
        }
    }
}
