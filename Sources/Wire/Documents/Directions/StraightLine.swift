import Geometry

/// Route for use without a routing service: the geodesic to the destination.
public enum StraightLine {
    /// Distance between vertices. Over this distance the plane in which the daemon draws deviates from the geodesic by
    /// only a few centimetres. Unit: metres.
    private static let spacing = 1000.0
    /// Maximum number of segments. A route that would need more has longer segments.
    private static let maximumSegmentCount = 2000.0
    /// Distance below which there is no route. Unit: metres.
    private static let minimumLength = 1.0

    /// Route as a GeoJSON LineString; nil if both positions are within a metre.
    public static func document(from: GeodeticPosition, to: GeodeticPosition) -> [UInt8]? {
        guard let points = points(from: from, to: to) else { return nil }
        let coordinates = points.map { "[\($0.longitudeDegrees),\($0.latitudeDegrees)]" }
        return Array("{\"type\":\"LineString\",\"coordinates\":[\(coordinates.joined(separator: ","))]}".utf8)
    }

    /// Vertices of the geodesic, including both ends; nil if the ends are within a metre.
    package static func points(from: GeodeticPosition, to: GeodeticPosition) -> [GeodeticPosition]? {
        let line = Geodesic(from: from, to: to)
        guard line.distance >= minimumLength, let bearing = line.bearing else { return nil }
        let count = min(max((line.distance / spacing).rounded(.up), 1), maximumSegmentCount)
        let between = stride(from: 1, to: count, by: 1).compactMap {
            from.destination(bearing: bearing, distance: line.distance * $0 / count)
        }
        return [from] + between + [to]
    }
}
