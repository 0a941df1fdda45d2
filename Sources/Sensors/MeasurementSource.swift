import Geometry
import Model

/// A part of the world that delivers measurements into a queue from threads of its own.
public protocol MeasurementSource: AnyObject, Sendable {
    /// Starts the threads and returns at once; what is missing is searched for until `stop`.
    func start()
    /// Asks the threads to end, without waiting for them.
    func requestStop()
    /// Ends the threads; returns when they have ended, or after the timeout: what the world holds up then ends by itself.
    func stop(timeoutSeconds: Double)
    /// From now on sensors sample at this pace; returns at once.
    func setPace(_ pace: SamplingPace)
    /// What was found and how it does, by device.
    var reports: [DeviceReport] { get }
    /// Whether nothing more will come, ever; sensors of the world do not end.
    var hasEnded: Bool { get }
}

extension MeasurementSource {
    public var hasEnded: Bool { false }

    /// What others pace goes on as it does.
    public func setPace(_ pace: SamplingPace) {}

    /// With the time that one source may take at the end.
    public func stop() { stop(timeoutSeconds: 0.5) }
}

/// One device or receiver as the user should see it.
public struct DeviceReport: Hashable, Sendable {
    public var name: String
    /// Such as `iio:device0` or `gpsd 127.0.0.1:2947`.
    public var identifier: String
    public var state: State
    /// Why the state is what it is, where that helps: an error and what to do about it.
    public var detail: String?
    public var channels: [Channel]
    /// Hz.
    public var requestedRate: Double?
    /// As the driver rounded it. Hz.
    public var grantedRate: Double?
    /// Row by row, sensor axes to body axes.
    public var mountMatrix: [Double]?
    /// The same for each kind of sensor that the device serves: they need not agree.
    public var mountMatrices: [SensorKind: [Double]]
    /// What tells it from others of its name, and stays from boot to boot: what the board's description calls it, its serial
    /// number, where it sits.
    public var label: String?
    public var serial: String?
    public var location: String?
    /// Newest that its driver told. Unit: degrees Celsius.
    public var temperature: Double?
    /// `udev`, `device`, `configuration` or `none`.
    public var mountMatrixOrigin: String?
    /// The clock of the stamps: `boottime`, `monotonic`, `realtime` or `host` (stamped on arrival).
    public var clock: String?
    public var samples: UInt64
    /// Intervals of more than twice the expected one.
    public var gaps: UInt64
    /// Lost because the engine did not keep up.
    public var dropped: UInt64
    public var lastSample: BootTime?

    public init(name: String, identifier: String, state: State) {
        self.name = name
        self.identifier = identifier
        self.state = state
        channels = []
        mountMatrices = [:]
        samples = 0
        gaps = 0
        dropped = 0
    }

    public enum State: String, Hashable, Sendable {
        case searching
        case streaming
        case polling
        case silent
        case failed
    }

    /// One channel: what it measures, how it is packed, what one count is worth.
    public struct Channel: Hashable, Sendable {
        public var name: String
        /// As the kernel writes it, such as `le:s16/16>>0`; nil when polled.
        public var format: String?
        /// To the kernel's unit (m/s², rad/s, gauss, kilopascal).
        public var scale: Double
        public var offset: Double

        public init(name: String, format: String?, scale: Double, offset: Double) {
            self.name = name
            self.format = format
            self.scale = scale
            self.offset = offset
        }
    }
}
