import Geometry
import Model

/// Producer of measurements. It pushes them into a queue, from threads of its own or when it is asked to `collect`.
package protocol MeasurementSource: AnyObject, Sendable {
    /// Starts the threads and returns at once; missing devices are searched for until `stop`.
    func start()
    /// Asks the threads to end, without waiting.
    func requestStop()
    /// Ends the threads; returns when they have ended or the time limit has passed. A thread in a blocking call ends
    /// when the call returns.
    func stop(timeoutSeconds: Double)
    /// Requests a sampling pace; returns at once.
    func setPace(_ pace: SamplingPace)
    /// Readable when `collect` has something to push; nil if the source's threads push all measurements.
    var descriptor: Int32? { get }
    /// Whether inertial samples are pushed only by `collect`.
    var needsCollecting: Bool { get }
    /// Pushes what devices hold that the source's threads do not read, on the caller's thread; does not wait.
    func collect()
    /// State and statistics of each device.
    var reports: [DeviceReport] { get }
    /// Whether no more measurements will follow: true at the end of a recording, never for sensors.
    var hasEnded: Bool { get }
}

extension MeasurementSource {
    /// False, because sensors do not end.
    package var hasEnded: Bool { false }

    /// Does nothing. This is for sources that cannot choose their rate.
    package func setPace(_ pace: SamplingPace) {}

    /// Nil, because threads of the source push all measurements.
    package var descriptor: Int32? { nil }

    /// False, because threads of the source push all measurements.
    package var needsCollecting: Bool { false }

    /// Does nothing, because threads of the source push all measurements.
    package func collect() {}

    /// Ends the threads, with the default time limit of 0.5 s.
    package func stop() { stop(timeoutSeconds: 0.5) }
}

/// State and statistics of one device or receiver, for the user.
package struct DeviceReport: Hashable, Sendable {
    /// Name of the device, or of the missing sensor kind.
    package var name: String
    /// Address of the device, such as `iio:device0`, `gpsd 127.0.0.1:2947` or `aid phone gyroscope`.
    package var identifier: String
    package var state: State
    /// Reason for the state, and remedy if there is one.
    package var detail: String?
    package var channels: [Channel] = []
    /// Sampling rate that was requested from the driver. Unit: Hz.
    package var requestedRate: Double?
    /// Sampling rate after the driver's rounding, or the observed rate. Unit: Hz.
    package var grantedRate: Double?
    /// Driver's refusal of the requested rate, with attribute, value and error; nil if there was none.
    package var rateProblem: String?
    /// Sampling method of the device; nil until it is known, and for receivers.
    package var sampling: Sampling?
    /// Number of samples read at once; nil if the channels are polled.
    package var batchSize: Int?
    /// Rotation from sensor axes to the body frame, nine elements row by row.
    package var mountMatrix: [Double]?
    /// Mount matrix of each sensor kind of the device; they may differ.
    package var mountMatrices: [SensorKind: [Double]] = [:]
    /// Axes of each sensor of the device, in the order of the kinds.
    package var axes: [Axes] = []
    /// Label from the board's device tree or firmware; constant across boots.
    package var label: String?
    /// Serial number of the board; constant across boots.
    package var serial: String?
    /// Location that the driver reports, such as `base` or `lid`; constant across boots.
    package var location: String?
    /// Latest temperature of the chip. Unit: degrees Celsius.
    package var temperature: Double?
    /// Origin of the mount matrix: `configuration`, `device`, `udev`, `sibling` (another sensor of the chip) or `none`.
    package var mountMatrixOrigin: String?
    /// Clock of the timestamps: `boottime`, `monotonic`, `realtime` or `host` (stamped on arrival).
    package var clock: String?
    /// Number of samples delivered since the start.
    package var samples: UInt64 = 0
    /// Number of intervals longer than twice the expected interval.
    package var gaps: UInt64 = 0
    /// Number of samples lost because the queue was full.
    package var dropped: UInt64 = 0
    package var lastSample: BootTime?

    package init(name: String, identifier: String, state: State) {
        self.name = name
        self.identifier = identifier
        self.state = state
    }

    package enum State: String, Hashable, Sendable {
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

    package struct Sampling: Hashable, Sendable {
        package var method: Method
        package var trigger: String?
        /// Reason why no better method is used, and how to enable one; nil if there is none.
        package var reason: String?
        /// Whether the device's buffer needs a trigger and there is none.
        package var isTriggerMissing: Bool

        package init(
            _ method: Method, trigger: String? = nil, reason: String? = nil, isTriggerMissing: Bool = false
        ) {
            self.method = method
            self.trigger = trigger
            self.reason = reason
            self.isTriggerMissing = isTriggerMissing
        }

        package enum Method: String, Hashable, Sendable {
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
            /// Another program delivers the samples.
            case program
        }
    }

    /// Mounting of a sensor with three axes: body = mount matrix · (sign · sensor).
    package struct Axes: Hashable, Sendable {
        package var kind: SensorKind
        /// Rotation from sensor axes to the body frame, nine elements row by row.
        package var mountMatrix: [Double]
        /// Origin of the mount matrix, as in `DeviceReport`.
        package var origin: String
        /// -1 for a sensor that reports the opposite of the measured quantity, else 1.
        package var sign: Int
        /// Whether the origin's matrix is a mirror image. If so, `mountMatrix` is its negative.
        package var isMirrored: Bool

        package init(kind: SensorKind, mountMatrix: [Double], origin: String, sign: Int = 1, isMirrored: Bool = false) {
            self.kind = kind
            self.mountMatrix = mountMatrix
            self.origin = origin
            self.sign = sign
            self.isMirrored = isMirrored
        }
    }

    /// One channel: encoding, scale and offset.
    package struct Channel: Hashable, Sendable {
        /// The kernel's name, such as `accel_x`.
        package var name: String
        /// The kernel's notation of the encoding, such as `le:s16/16>>0`; nil if the channel is polled.
        package var format: String?
        /// Factor from counts to the kernel's unit (m/s², rad/s, gauss, kilopascal).
        package var scale: Double
        /// Offset in counts, added before scaling.
        package var offset: Double

        package init(name: String, format: String?, scale: Double, offset: Double) {
            self.name = name
            self.format = format
            self.scale = scale
            self.offset = offset
        }
    }
}
