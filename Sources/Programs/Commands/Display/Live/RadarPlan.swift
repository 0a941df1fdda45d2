import Geometry
import WaymarkClient
import WaymarkInterface

/// Level of a floor plan that the radar shows beneath everything else.
package struct RadarPlan: Sendable {
    /// Tangent plane at the location relative to which the points are given.
    private let plane: LocalTangentPlane
    /// Line segments. A mark is a segment whose ends are the same point. Frame: east and north. Unit: metres.
    private let pieces: [(start: Vector2, end: Vector2, ink: Ink)]

    /// Maximum number of drawn segments, whatever a daemon sends.
    private static let maximumPieceCount = 10_000

    /// Makes the lines of a level around a location; nil if the location is invalid.
    package init?(_ lines: Waymark.PlanLines, about center: Waymark.Location) {
        guard let origin = GeodeticPosition(center.latitude, center.longitude) else { return nil }
        plane = LocalTangentPlane(origin: origin)
        pieces = Array(lines.lines.lazy.flatMap(Self.pieces).prefix(Self.maximumPieceCount))
    }

    private static func pieces(_ line: PlanInterface.Line) -> [(start: Vector2, end: Vector2, ink: Ink)] {
        let points = stride(from: 0, to: line.points.count - 1, by: 2).map {
            Vector2(line.points[$0], line.points[$0 + 1])
        }
        let ink = ink(line.kind)
        guard points.count > 1 else { return points.map { ($0, $0, ink) } }
        return zip(points, points.dropFirst()).map { ($0, $1, ink) }
    }

    private static func ink(_ kind: OpenWord<PlanInterface.LineKind>) -> Ink {
        switch kind {
        case .known(.wall), .known(.room): .plain
        case .known(.door): .place
        case .known(.floor), .known(.stairs), .known(.path), .known(.street), .unknown: .faint
        }
    }

    /// Returns the segments around a wearer, clipped to a circle with the radius `range`. Frame: east and north of the
    /// wearer. Unit: metres.
    func pieces(around wearer: Waymark.Geo, within range: Double) -> [(start: Vector2, end: Vector2, ink: Ink)] {
        guard let position = GeodeticPosition(wearer.latitude, wearer.longitude) else { return [] }
        let here = Vector2(plane.pointENU(of: position))
        return pieces.compactMap { start, end, ink in
            Self.cut(from: start - here, to: end - here, range: range).map { ($0.start, $0.end, ink) }
        }
    }

    /// Part of a segment within a circle around the origin; nil if there is none.
    private static func cut(from start: Vector2, to end: Vector2, range: Double) -> (start: Vector2, end: Vector2)? {
        let displacement = end - start
        let square = displacement.dot(displacement)
        guard square > 0 else { return start.norm <= range ? (start, end) : nil }
        // `middle` is the point of the infinite line nearest to the origin, `reach` the distance from there to the
        // circle, both as fractions of the segment.
        let middle = -start.dot(displacement) / square
        let rest = range * range - (start + middle * displacement).dot(start + middle * displacement)
        guard rest >= 0 else { return nil }
        let reach = (rest / square).squareRoot()
        let (from, to) = (max(0, middle - reach), min(1, middle + reach))
        return from < to ? (start + from * displacement, start + to * displacement) : nil
    }
}
