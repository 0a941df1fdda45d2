import Geodesy
import Geometry

/// The features of a level in metres, and the order in which they are drawn: what is drawn later covers what is below.
struct PlanDrawing {
    let center: GeodeticPosition
    /// Half the extent, with a margin. Unit: metres.
    let half: Vector2
    private let level: PlanLevel
    private let plane: LocalTangentPlane

    /// Margin around what is drawn, where a wearer may walk outside. Unit: metres.
    private static let margin = 5.0
    /// Width of a wall. Unit: metres.
    private static let wallWidth = 0.3
    /// Width of a door that is drawn as a point: an opening of 1.2 m, found by a wearer who is known that well.
    /// Unit: metres.
    private static let doorWidth = 1.6

    /// Nil where the level has no extent, or too large a one.
    init?(_ level: PlanLevel) {
        let points = level.features.flatMap(\.shape.points)
        // On the plane of a point of its own: longitudes jump at the antimeridian, and mean little near a pole.
        guard let first = points.first, let around = Self.bounds(of: points, on: GeodeticPosition(first)),
            let center = LocalTangentPlane(origin: GeodeticPosition(first)).position(ofENU: around.middle),
            let bounds = Self.bounds(of: points, on: center)
        else { return nil }
        self.level = level
        self.center = center
        plane = LocalTangentPlane(origin: center)
        half = bounds.farthest + Vector2(Self.margin, Self.margin)
    }

    /// Middle of the points, and the largest distances from the origin. Frame: ENU at it. Unit: metres.
    private static func bounds(
        of points: [PlanPoint], on origin: GeodeticPosition
    ) -> (middle: Vector3, farthest: Vector2)? {
        let plane = LocalTangentPlane(origin: origin)
        var (low, high) = (Vector2(), Vector2())
        for point in points {
            let place = plane.pointENU(of: GeodeticPosition(point))
            guard place.norm <= PlanGrid.largestExtent * 2 else { return nil }
            low = Vector2(min(low.x, place.x), min(low.y, place.y))
            high = Vector2(max(high.x, place.x), max(high.y, place.y))
        }
        guard high.x - low.x <= PlanGrid.largestExtent, high.y - low.y <= PlanGrid.largestExtent else { return nil }
        return (
            Vector3((low.x + high.x) / 2, (low.y + high.y) / 2, 0), Vector2(max(-low.x, high.x), max(-low.y, high.y))
        )
    }

    func draw(on raster: inout PlanRaster) {
        for feature in level.features where feature.kind == .floor || feature.kind == .stairs {
            if case .area(let rings) = feature.shape { raster.fill(rings.map(points), with: .floor) }
        }
        for feature in level.features where feature.kind == .room {
            if case .area(let rings) = feature.shape { raster.fillRoom(rings.map(points)) }
        }
        draw(.wall, width: Self.wallWidth, as: .wall, on: &raster)
        draw(.door, width: Self.doorWidth, as: .door, on: &raster)
    }

    private func draw(
        _ kind: PlanFeature.Kind, width: Double, as area: PlanArea, on raster: inout PlanRaster
    ) {
        for feature in level.features where feature.kind == kind {
            switch feature.shape {
            case .area(let rings): raster.fill(rings.map(points), with: area)
            case .line(let line): raster.draw(points(line), width: width, as: area)
            case .point(let point): raster.dot(self.point(point), width: width, as: area)
            }
        }
    }

    private func points(_ line: [PlanPoint]) -> [Vector2] { line.map(point) }

    private func point(_ point: PlanPoint) -> Vector2 {
        Vector2(plane.pointENU(of: GeodeticPosition(point)))
    }
}

extension GeodeticPosition {
    /// Position of a point of a plan, on the ellipsoid.
    init(_ point: PlanPoint) {
        guard
            let position = GeodeticPosition(
                latitudeDegrees: point.latitudeDegrees, longitudeDegrees: point.longitudeDegrees, ellipsoidalHeight: 0)
        else { preconditionFailure("a point of a plan is nowhere") }
        self = position
    }
}
