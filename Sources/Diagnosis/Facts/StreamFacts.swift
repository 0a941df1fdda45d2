/// Data stream of one sensor.
public struct StreamFacts: Sendable {
    /// Kind of the sensor.
    public var kind: SensorFacts.Kind
    /// Name of its device.
    public var device: String
    /// `streaming`, `polling`, `silent`, `failed` or `searching`, as reported by the daemon.
    public var state: String
    /// Details of the state.
    public var detail: String?
    /// Rate requested from the driver. Unit: Hz.
    public var requestedRate: Double?
    /// Rate reported by the driver. Unit: Hz.
    public var grantedRate: Double?
    /// Clock of the timestamps: `boottime`, `monotonic`, `realtime` or `host`.
    public var clock: String?
    /// Origin of the mount matrix: `udev`, `device`, `configuration` or `none`.
    public var mountOrigin: String?
    /// Number of samples lost because the daemon did not keep up.
    public var dropped = 0
    /// Rate from the sample counter of the device. Unit: Hz.
    public var countedRate: Double?
    /// Statistics of the calibrated samples in body axes; nil without samples.
    public var summary: SampleSummary?

    /// A stream without further facts.
    public init(kind: SensorFacts.Kind, device: String, state: String) {
        self.kind = kind
        self.device = device
        self.state = state
    }
}
