import Geometry
import Glibc
import JSON

/// Representative point of a geometry of any type. The place is displayed at this point.
///
/// Source of the types: RFC 7946, section 3.1. The representative point is the point halfway along a line, the centroid
/// of the outer ring of a polygon, or the point of the largest part of a multi-part geometry. Only points have heights.
enum GeoJSONPoint {
    /// - Returns: the point, and whether the geometry gives its height.
    static func of(_ geometry: JSONNode) throws(DocumentProblem) -> (position: GeodeticPosition, hasHeight: Bool) {
        let type = try geometry.member("type")
        if type.equals("Point") {
            let coordinates = try geometry.member("coordinates")
            return (try GeoJSONPosition.read(coordinates), GeoJSONPosition.hasHeight(coordinates))
        }
        if type.equals("GeometryCollection") { return try of(try geometry.member("geometries").first()) }
        let coordinates = try geometry.member("coordinates")
        if type.equals("MultiPoint") {
            let first = try coordinates.first()
            return (try GeoJSONPosition.read(first), GeoJSONPosition.hasHeight(first))
        }
        if type.equals("LineString") { return (try middle(try line(coordinates)).point, false) }
        if type.equals("Polygon") { return (try centroid(try line(try coordinates.first())).point, false) }
        if type.equals("MultiLineString") {
            return (try largest(coordinates) { part throws(DocumentProblem) in try middle(try line(part)) }, false)
        }
        if type.equals("MultiPolygon") {
            return (
                try largest(coordinates) { part throws(DocumentProblem) in try centroid(try line(try part.first())) },
                false
            )
        }
        try type.require(.text)
        throw type.problem("no type of geometry: \(type.line(maximumLength: 80) ?? "an empty one")")
    }

    /// Vertices in a plane whose origin is the first vertex. Longitudes are scaled to degrees of latitude, so that both
    /// axes have the same unit.
    private struct Outline {
        let node: JSONNode
        let origin: GeodeticPosition
        let parallel: Double
        /// Coordinates east and north of the origin. Unit: degrees of latitude.
        var points: [(east: Double, north: Double)] = []

        func position(east: Double, north: Double) throws(DocumentProblem) -> GeodeticPosition {
            var longitude = origin.longitudeDegrees + east / parallel
            if longitude > 180 { longitude -= 360 }
            if longitude < -180 { longitude += 360 }
            let latitude = min(90, max(-90, origin.latitudeDegrees + north))
            return try GeoJSONPosition.checked(latitude: latitude, longitude: longitude, of: node)
        }
    }

    private static func line(_ node: JSONNode) throws(DocumentProblem) -> Outline {
        let origin = try GeoJSONPosition.read(try node.first())
        // All meridians meet at the poles, so a degree of longitude may have any length there.
        let parallel = max(cos(origin.latitudeDegrees * .pi / 180), 1e-6)
        var outline = Outline(node: node, origin: origin, parallel: parallel)
        outline.points.reserveCapacity(node.count)
        for element in node.elements {
            let position = try GeoJSONPosition.read(element)
            var east = position.longitudeDegrees - origin.longitudeDegrees
            if east.magnitude > 180 { east = remainder(east, 360) }
            outline.points.append((east * parallel, position.latitudeDegrees - origin.latitudeDegrees))
        }
        return outline
    }

    /// Point halfway along the line, and the length of the line.
    private static func middle(_ outline: Outline) throws(DocumentProblem) -> (point: GeodeticPosition, size: Double) {
        let points = outline.points
        let lengths = zip(points, points.dropFirst()).map { hypot($1.east - $0.east, $1.north - $0.north) }
        let length = lengths.reduce(0, +)
        var rest = length / 2
        for (index, leg) in lengths.enumerated() {
            if rest <= leg, leg > 0 {
                let (start, end, share) = (points[index], points[index + 1], rest / leg)
                return (
                    try outline.position(
                        east: start.east + share * (end.east - start.east),
                        north: start.north + share * (end.north - start.north)), length
                )
            }
            rest -= leg
        }
        return (outline.origin, 0)
    }

    /// Centroid of the enclosed area, and the size of the area; without an area, the mean of the vertices and 0.
    private static func centroid(
        _ outline: Outline
    ) throws(DocumentProblem) -> (point: GeodeticPosition, size: Double) {
        let points = outline.points
        var (area, east, north) = (0.0, 0.0, 0.0)
        for (start, end) in zip(points, points.dropFirst() + points.prefix(1)) {
            let cross = start.east * end.north - end.east * start.north
            area += cross / 2
            east += (start.east + end.east) * cross / 6
            north += (start.north + end.north) * cross / 6
        }
        // Area of a square with sides of 1 cm; a ring with a smaller area counts as having none.
        let minimum = 1e-14
        guard area.magnitude > minimum else {
            let sum = points.reduce((east: 0.0, north: 0.0)) { ($0.east + $1.east, $0.north + $1.north) }
            let count = Double(points.count)
            return (try outline.position(east: sum.east / count, north: sum.north / count), 0)
        }
        return (try outline.position(east: east / area, north: north / area), area.magnitude)
    }

    private static func largest(
        _ parts: JSONNode,
        _ measure: (JSONNode) throws(DocumentProblem) -> (point: GeodeticPosition, size: Double)
    ) throws(DocumentProblem) -> GeodeticPosition {
        var best = try measure(try parts.first())
        for part in parts.elements.dropFirst() {
            let candidate = try measure(part)
            if candidate.size > best.size { best = candidate }
        }
        return best.point
    }
}
