import Geometry

/// Features of a level in metres, in the order in which they are drawn. Later features cover earlier ones.
struct PlanDrawing {
    let center: GeodeticPosition
    /// Half the extent, with a margin. Unit: metres.
    let half: Vector2
    private let level: PlanLevel
    private let plane: LocalTangentPlane

    /// Margin around the drawing, where the wearer may still walk. Unit: metres.
    private static let margin = 5.0
    /// Width of a wall. Unit: metres.
    private static let wallWidth = 0.3
    /// Width of a door that the plan gives as a point: an opening of 1.2 m, enlarged by the uncertainty of the wearer's
    /// position. Unit: metres.
    private static let doorWidth = 1.6

    /// Makes a drawing; nil if the extent of the level is missing or too large.
    init?(_ level: PlanLevel) {
        // Paths are not drawn.
        let points = level.features.filter { $0.kind.pathDeviation == nil }.flatMap(\.shape.points)
        // A tangent plane is most accurate around its origin.
        guard let around = PlanExtent(points), around.width <= PlanGrid.maximumExtent,
            let center = around.plane.position(ofENU: around.middle)
        else { return nil }
        var extent = PlanExtent(at: center)
        for point in points { extent.add(point) }
        guard extent.width <= PlanGrid.maximumExtent else { return nil }
        self.level = level
        self.center = center
        plane = extent.plane
        half = extent.reach + Vector2(Self.margin, Self.margin)
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
