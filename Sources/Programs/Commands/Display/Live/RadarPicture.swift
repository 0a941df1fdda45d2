import Geometry
import Glibc

/// Surroundings from above with the wearer in the centre and the heading up: floor plan, route, turns, destination,
/// places.
///
/// Points are computed from the bearings and distances of placements and the heading of the newest pose, because a
/// subscription with `radar` would send every placement again whenever the wearer turns.
struct RadarPicture: Sendable {
    /// Distance at the rim. Unit: metres.
    let range: Double
    /// Heading, clockwise from north; nil if it is unknown. Unit: degrees.
    let heading: Double?
    let targets: [LiveTarget]
    /// Route ahead, starting at the wearer.
    let route: [RoutePoint]
    /// Segments of a floor plan. Frame: east and north of the wearer. Unit: metres.
    let plan: [(start: Vector2, end: Vector2, ink: Ink)]
    let area: CellArea

    /// A point of the route. Units: degrees clockwise from north, metres.
    struct RoutePoint: Sendable {
        var bearing: Double
        var distance: Double
    }

    /// Radius and centre of the rim in dots of `DotField`, counted from its upper left corner.
    private let radius: Double
    private let centre: (x: Double, y: Double)

    init(
        range: Double, heading: Double?, targets: [LiveTarget], route: [RoutePoint],
        plan: [(start: Vector2, end: Vector2, ink: Ink)] = [], area: CellArea
    ) {
        self.range = max(1, range)
        self.heading = heading.flatMap { $0.isFinite ? $0 : nil }
        (self.targets, self.route, self.plan, self.area) = (targets, route, plan, area)
        radius = Double(min(area.columns * 2, area.rows * 4)) / 2 - 1
        // The centre is in the middle of the cell that shows the wearer.
        centre = (Double((area.columns - 1) / 2 * 2) + 0.5, Double((area.rows - 1) / 2 * 4) + 1.5)
    }

    func draw(into grid: inout CellGrid) {
        guard area.rows >= 3, area.columns >= 5 else { return }
        var dots = DotField(area)
        dots.circle(around: centre, radius: radius, gap: 2, .faint)
        if area.rows >= 9 { dots.circle(around: centre, radius: radius / 2, gap: 4, .faint) }
        if let heading {
            drawPlan(heading, &dots)
            drawRoute(heading, &dots)
        }
        dots.draw(into: &grid)
        if let heading {
            drawMarks(heading, isInside: false, &grid)
            drawCompass(heading, &grid)
            drawMarks(heading, isInside: true, &grid)
        }
        let wearer: Unicode.Scalar = grid.canvas.unicode ? "▲" : "^"
        grid.put(wearer, row: area.row + Int(centre.y) / 4, column: area.column + Int(centre.x) / 2, .strong)
        if let heading { drawNames(heading, &grid) }
    }

    static func rangeText(_ range: Double) -> String {
        range < 1000 ? "\(range.fixed(0)) m" : "\((range / 1000).fixed(range < 10_000 ? 1 : 0)) km"
    }

    /// Returns the point, in dots, at a bearing and a distance. A target beyond the range is on the rim.
    private func point(_ bearing: Double, _ distance: Double, _ heading: Double) -> (x: Double, y: Double) {
        let angle = Angle.radians(degrees: (bearing - heading).remainder(dividingBy: 360))
        let length = radius * min(1, distance / range)
        return (centre.x + length * sin(angle), centre.y - length * cos(angle))
    }

    private func cell(_ point: (x: Double, y: Double)) -> (row: Int, column: Int)? {
        guard point.x.magnitude < 1e6, point.y.magnitude < 1e6 else { return nil }
        let (x, y) = (Int(point.x.rounded()), Int(point.y.rounded()))
        guard x >= 0, y >= 0 else { return nil }
        return (area.row + min(area.rows - 1, y / 4), area.column + min(area.columns - 1, x / 2))
    }

    private func drawPlan(_ heading: Double, _ dots: inout DotField) {
        let turn = Rotation2(yaw: Angle.radians(degrees: heading.remainder(dividingBy: 360)))
        let scale = radius / range
        func dot(_ point: Vector2) -> (x: Double, y: Double) {
            let ahead = turn * point
            return (centre.x + scale * ahead.x, centre.y - scale * ahead.y)
        }
        for piece in plan { dots.line(from: dot(piece.start), to: dot(piece.end), piece.ink) }
    }

    private func drawRoute(_ heading: Double, _ dots: inout DotField) {
        var last: (x: Double, y: Double)?
        for step in route {
            guard step.distance <= range else {
                last = nil
                continue
            }
            let next = point(step.bearing, step.distance, heading)
            if let last { dots.line(from: last, to: next, .route) } else { dots.set(next.x, next.y, .route) }
            last = next
        }
    }

    private func drawCompass(_ heading: Double, _ grid: inout CellGrid) {
        for (bearing, sign) in [(0.0, "N"), (90, "E"), (180, "S"), (270, "W")] as [(Double, Unicode.Scalar)] {
            guard area.rows >= 7 || bearing == 0, let cell = cell(point(bearing, .infinity, heading)) else { continue }
            grid.put(sign, row: cell.row, column: cell.column, bearing == 0 ? .strong : .faint)
        }
    }

    /// Draws the marks of targets, least important first. If `isInside`, draws the targets within the range and, even
    /// beyond it, the next turn and the destination. Otherwise draws the remaining targets, which are on the rim.
    private func drawMarks(_ heading: Double, isInside: Bool, _ grid: inout CellGrid) {
        for target in targets.reversed() {
            let matters = target.distance <= range || target.kind == .nextTurn || target.kind == .destination
            guard matters == isInside, let cell = cell(point(target.bearing, target.distance, heading)) else {
                continue
            }
            let sign = grid.canvas.unicode ? target.sign : TurnSign.ascii(target.sign)
            grid.put(sign, row: cell.row, column: cell.column, matters ? target.ink : .faint)
        }
    }

    /// Writes names beside the marks, if there is room.
    private func drawNames(_ heading: Double, _ grid: inout CellGrid) {
        guard area.columns >= 24 else { return }
        for target in targets where target.distance <= range {
            guard let cell = cell(point(target.bearing, target.distance, heading)) else { continue }
            let name = TextWidth.cut(target.name, to: max(12, area.columns / 3))
            let shown = grid.canvas.unicode ? name : ASCIIText.line(name)
            let width = TextWidth.columns(of: shown)
            guard width > 0 else { continue }
            for start in [cell.column + 2, cell.column - width - 1] {
                guard start > area.column, start + width < area.column + area.columns,
                    grid.isFree(row: cell.row, columns: start - 1..<start + width + 1)
                else { continue }
                grid.put(shown, row: cell.row, column: start, target.labelInk)
                break
            }
        }
    }
}
