/// What the receiver itself reports beside the fused pose, for programs that show it.
public struct ReceiverView: Hashable, Sendable {
    /// Newest SKY report of gpsd, as one JSON object without a line end; nil without one.
    public var sky: [UInt8]?
    /// Number of satellites in use.
    public var satellites: Int?
    /// Horizontal dilution of precision.
    public var horizontalDilution: Double?
    /// Height of the geoid above the ellipsoid at the receiver, by the receiver's or gpsd's own model. Unit: metres.
    public var geoidSeparation: Double?

    /// Whether poses come from the simulation or a recording, and not from sensors.
    public var isSimulated = false

    /// No data.
    public init() {}
}
