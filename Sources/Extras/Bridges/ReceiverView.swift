import Geometry
import WaymarkInterface

/// Reports of the receiver itself, to be shown beside the fused pose.
package struct ReceiverView: Hashable, Sendable {
    /// Newest SKY report of gpsd, as one JSON object without a line end; nil if there is none.
    package var sky: [UInt8]?
    package var satellites: Int?
    package var horizontalDilution: Double?
    /// Height of the geoid above the ellipsoid at the receiver, from the receiver's or gpsd's own model. Unit: metres.
    package var geoidSeparation: Double?
    /// Whether it is still unknown if the receiver reports a geoid separation.
    package var isSeparationAwaited = false

    /// Whether poses come from the simulation or a recording, not from sensors.
    package var isSimulated = false

    package init() {}

    /// Returns the height of the geoid above the ellipsoid at a position, from the receiver or otherwise from EGM96.
    /// Returns nil while the receiver's value is awaited, so that heights above sea level do not step when it arrives.
    /// Unit: metres.
    package func separation(at geo: PoseInterface.Geo) -> Double? {
        if let geoidSeparation { return geoidSeparation }
        guard !isSeparationAwaited else { return nil }
        let position = GeodeticPosition(
            latitudeDegrees: geo.latitude, longitudeDegrees: geo.longitude, ellipsoidalHeight: 0)
        return position.map(Geoid.undulation(at:))
    }
}
