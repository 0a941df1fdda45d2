import Geometry

/// The geoid that converts heights above mean sea level to ellipsoidal heights: the one that the receiver reported
/// last, or else EGM96.
@frozen
public struct ReceiverGeoid: Hashable, Sendable, Codable {
    /// Height of the geoid above the ellipsoid, as last reported; nil before the first report. Unit: metres.
    public private(set) var reported: Double?

    /// The geoid before any report.
    public init() {}

    /// Learns a geoid separation that the receiver reported, unless it is out of the range of `MeasurementRange`. Unit:
    /// metres.
    public mutating func learn(_ separation: Double?) {
        guard let separation, separation.magnitude <= MeasurementRange.geoidSeparation else { return }
        reported = separation
    }

    /// Height of the geoid above the ellipsoid; the height of the position does not matter. Unit: metres.
    public func separation(at position: GeodeticPosition) -> Double { reported ?? Geoid.undulation(at: position) }
}
