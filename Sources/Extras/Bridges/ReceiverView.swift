import Geometry
import WaymarkInterface

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
    /// Whether the receiver has yet to report whether it has a separation.
    public var isSeparationAwaited = false

    /// Whether poses come from the simulation or a recording, and not from sensors.
    public var isSimulated = false

    /// No data.
    public init() {}

    /// Height of the geoid above the ellipsoid at a position: the receiver's own, else that of EGM96; nil while the
    /// receiver's is awaited, so that heights above the sea have no step when it comes. Unit: metres.
    package func separation(at geo: PoseInterface.Geo) -> Double? {
        if let geoidSeparation { return geoidSeparation }
        guard !isSeparationAwaited else { return nil }
        let position = GeodeticPosition(
            latitudeDegrees: geo.latitude, longitudeDegrees: geo.longitude, ellipsoidalHeight: 0)
        return position.map(Geoid.undulation(at:))
    }
}
