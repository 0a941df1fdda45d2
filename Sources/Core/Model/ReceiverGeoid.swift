import Geometry

/// The geoid that converts heights above mean sea level to ellipsoidal heights: as the receiver reported it last, else
/// EGM96.
@frozen
public struct ReceiverGeoid: Hashable, Sendable, Codable {
    /// Height above the ellipsoid as last reported; nil before the first report. Unit: metres.
    public private(set) var reported: Double?

    /// The geoid before any report.
    public init() {}

    /// Takes a geoid separation that the receiver reported, unless it is beyond `MeasurementRange`. Unit: metres.
    public mutating func learn(_ separation: Double?) {
        guard let separation, separation.magnitude <= MeasurementRange.geoidSeparation else { return }
        reported = separation
    }

    /// Height above the ellipsoid, without regard to the height of the position. Unit: metres.
    public func separation(at position: GeodeticPosition) -> Double { reported ?? Geoid.undulation(at: position) }
}
