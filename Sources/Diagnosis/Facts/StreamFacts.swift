/// What one sensor delivered.
public struct StreamFacts: Sendable {
    /// What it measures.
    public var kind: SensorFacts.Kind
    /// The name of its device.
    public var device: String
    /// `streaming`, `polling`, `silent`, `failed` or `searching`, as the daemon words it.
    public var state: String
    /// More on the state, in words.
    public var detail: String?
    /// Unit: Hz.
    public var requestedRate: Double?
    /// As the driver told it. Unit: Hz.
    public var grantedRate: Double?
    /// `boottime`, `monotonic`, `realtime` or `host`.
    public var clock: String?
    /// `udev`, `device`, `configuration` or `none`.
    public var mountOrigin: String?
    /// Lost because the daemon did not keep up.
    public var dropped = 0
    /// By the device's own count. Unit: Hz.
    public var countedRate: Double?
    /// Of the samples themselves, in body axes and as calibrated; absent where there were none to be had.
    public var summary: SampleSummary?

    /// A sensor of which nothing more is known.
    public init(kind: SensorFacts.Kind, device: String, state: String) {
        self.kind = kind
        self.device = device
        self.state = state
    }
}
