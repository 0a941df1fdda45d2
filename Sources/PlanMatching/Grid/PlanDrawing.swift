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
        guard let bounds = PlanBounds(level), let center = bounds.center else { return nil }
        self.level = level
        self.center = center
        plane = LocalTangentPlane(origin: center)
        let corner = plane.pointENU(of: bounds.northEast)
        half = Vector2(corner.x.magnitude + Self.margin, corner.y.magnitude + Self.margin)
        guard 2 * max(half.x, half.y) <= PlanGrid.largestExtent + 4 * Self.margin else { return nil }
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
