import Geometry

/// Geoid that converts heights above mean sea level to ellipsoidal heights. It is the one that the receiver reported
/// last, or EGM96 before any report.
@frozen
public struct ReceiverGeoid: Hashable, Sendable, Codable {
    /// Height of the geoid above the ellipsoid, as last reported; nil before the first report. Unit: metres.
    public private(set) var reported: Double?

    /// Makes the geoid before any report.
    public init() {}

    /// Learns a geoid separation that the receiver reported. Ignores one outside the range of `MeasurementRange`. Unit:
    /// metres.
    public mutating func learn(_ separation: Double?) {
        guard let separation, separation.magnitude <= MeasurementRange.geoidSeparation else { return }
        reported = separation
    }

    /// Returns the height of the geoid above the ellipsoid. The height of the position does not matter. Unit: metres.
    public func separation(at position: GeodeticPosition) -> Double { reported ?? Geoid.undulation(at: position) }
}
