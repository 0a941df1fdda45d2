import Geodesy

/// The way to a place where no service knows one: the shortest line over the ellipsoid.
public enum StraightLine {
    /// Between two vertices the daemon draws on a plane, which over this distance is a few centimetres off the geodesic.
    /// Unit: metres.
    private static let spacing = 1000.0
    /// Around the world it is farther from one to the next.
    private static let mostSegments = 2000.0
    /// Nearer than this nobody needs a way. Unit: metres.
    private static let shortest = 1.0

    /// A GeoJSON LineString; nil where both places are the same to a metre.
    public static func document(from: GeodeticPosition, to: GeodeticPosition) -> [UInt8]? {
        guard let points = points(from: from, to: to) else { return nil }
        let coordinates = points.map { "[\($0.longitudeDegrees),\($0.latitudeDegrees)]" }
        return Array("{\"type\":\"LineString\",\"coordinates\":[\(coordinates.joined(separator: ","))]}".utf8)
    }

    package static func points(from: GeodeticPosition, to: GeodeticPosition) -> [GeodeticPosition]? {
        let line = Geodesic(from: from, to: to)
        guard line.distance >= shortest, let bearing = line.bearing else { return nil }
        let count = min(max((line.distance / spacing).rounded(.up), 1), mostSegments)
        let between = stride(from: 1, to: count, by: 1).compactMap {
            from.destination(bearing: bearing, distance: line.distance * $0 / count)
        }
        return [from] + between + [to]
    }
}
