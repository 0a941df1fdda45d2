import Geometry
import PlanMatching

/// Static map of the tracks, north up, for browsers without scripts. It shows floor plans, fixes with their accuracy,
/// the estimated path, the scene's track, and corrections.
struct TrackMap {
    private let report: WalkReport
    /// Prefix by which the anchors of two recordings on one page differ.
    private let prefix: String
    private let tracks: [WalkReport.Track]
    private let plane: LocalTangentPlane
    private let east: Scale
    private let north: Scale
    /// Units of the drawing per metre.
    private let scale: Double
    private let size: (width: Double, height: Double)

    private static let width = 960.0
    private static let maximumHeight = 720.0
    private static let minimumHeight = 240.0
    private static let inset = 24.0
    /// Maximum number of accuracy circles. More would hide each other.
    private static let maximumCircleCount = 300

    /// Fits the map to the report's positions; nil if there are none.
    init?(_ report: WalkReport, prefix: String = "") {
        let tracks = report.tracks.map {
            WalkReport.Track(name: $0.name, style: $0.style, series: $0.series.coarser(WalkReport.staticBins))
        }
        self.tracks = tracks
        let positions = tracks.flatMap { $0.series.points.map(\.position) } + report.fixes.elements.map(\.position)
        guard let origin = positions.first else { return nil }
        self.report = report
        self.prefix = prefix
        plane = LocalTangentPlane(origin: origin)
        let points = positions.map(plane.pointENU(of:))
        // A margin of two metres gives even a stationary recording a map.
        let (west, east) = (points.map(\.x).min()! - 2, points.map(\.x).max()! + 2)
        let (south, north) = (points.map(\.y).min()! - 2, points.map(\.y).max()! + 2)
        let inner = Self.width - 2 * Self.inset
        scale = min(inner / (east - west), (Self.maximumHeight - 2 * Self.inset) / (north - south))
        let height = max(Self.minimumHeight, (north - south) * scale + 2 * Self.inset)
        size = (Self.width, height)
        let (middleEast, middleNorth) = ((west + east) / 2, (south + north) / 2)
        let (halfEast, halfNorth) = (Self.width / 2 / scale, height / 2 / scale)
        self.east = Scale(middleEast - halfEast, middleEast + halfEast, from: 0, to: Self.width)
        self.north = Scale(middleNorth - halfNorth, middleNorth + halfNorth, from: height, to: 0)
    }

    func draw(into markup: inout Markup) {
        markup.element("figure", [("id", prefix + "tracks")]) { figure in
            figure.element("figcaption") { caption in
                caption.element("b", text: "Tracks")
                caption.element("span", [("class", "key fix")], text: "the receiver's fixes, with their accuracy")
                for track in tracks where !track.series.isEmpty {
                    caption.element("span", [("class", "key \(track.style)")], text: track.name)
                }
                caption.element("span", [("class", "key correction")], text: "correction")
                for plan in report.plans {
                    caption.element("span", [("class", "key plan")], text: "floor plan: \(plan.title)")
                }
            }
            let box = "0 0 \(size.width.text(0)) \(size.height.text(0))"
            figure.element("svg", [("viewBox", box), ("role", "img")]) { svg in
                svg.element("title", text: "Tracks, north up")
                for plan in report.plans { draw(plan, into: &svg) }
                drawFixes(into: &svg)
                for track in tracks { draw(track, into: &svg) }
                drawCorrections(into: &svg)
                drawScaleBar(into: &svg)
            }
        }
    }

    private func place(_ position: GeodeticPosition) -> (x: Double, y: Double) {
        let point = plane.pointENU(of: position)
        return (east.place(point.x), north.place(point.y))
    }

    private func drawFixes(into svg: inout Markup) {
        let fixes = report.fixes.elements
        let step = max(1, (fixes.count + Self.maximumCircleCount - 1) / Self.maximumCircleCount)
        for index in stride(from: 0, to: fixes.count, by: step) {
            guard let accuracy = fixes[index].accuracy else { continue }
            let (x, y) = place(fixes[index].position)
            let radius = min(accuracy * scale, 2 * size.width)
            svg.empty(
                "circle", [("class", "accuracy"), ("cx", x.text(1)), ("cy", y.text(1)), ("r", radius.text(1))])
        }
        for fix in fixes {
            let (x, y) = place(fix.position)
            svg.element("circle", [("class", "fix"), ("cx", x.text(1)), ("cy", y.text(1)), ("r", "1.8")]) { circle in
                let accuracy = fix.accuracy.map { ", ±\($0.text(1)) m" } ?? ", accuracy not known"
                circle.element("title", text: "fix at \(elapsedText(report.seconds(fix.time)))\(accuracy)")
            }
        }
    }

    /// Draws one path for each kind of line.
    private func draw(_ plan: ReportPlan, into svg: inout Markup) {
        for kind in PlanFeature.Kind.allCases {
            var outline = Outline()
            for line in plan.lines where line.kind == kind {
                outline.lift()
                var points = plan.points(of: line, on: plane)
                // A single point is drawn as a mark that is half a metre long.
                if points.count == 1 { points.append(points[0] + Vector2(0.5, 0)) }
                for point in points { outline.go(east.place(point.x), north.place(point.y)) }
            }
            guard !outline.isEmpty else { continue }
            svg.element("path", [("class", "plan \(kind.rawValue)"), ("d", outline.text)]) { path in
                path.element("title", text: "\(plan.title): \(kind.rawValue)")
            }
        }
    }

    private func draw(_ track: WalkReport.Track, into svg: inout Markup) {
        var outline = Outline()
        for point in track.series.points {
            if point.isAfterGap { outline.lift() }
            let (x, y) = place(point.position)
            outline.go(x, y)
        }
        guard !outline.isEmpty else { return }
        svg.empty("path", [("class", "line track \(track.style)"), ("d", outline.text)])
    }

    private func drawCorrections(into svg: inout Markup) {
        for correction in report.corrections {
            guard let position = correction.position else { continue }
            let (x, y) = place(position)
            // The size of marks grows with the square root of the correction.
            let size = min(max(2 + 2 * correction.size.squareRoot(), 2.5), 8)
            let outline =
                "M\(x.text(1)) \((y - size).text(1))l\(size.text(1)) \((2 * size).text(1))h\((-2 * size).text(1))z"
            svg.element("a", [("href", "#" + CorrectionTable.anchor(correction, prefix))]) { link in
                link.element("path", [("class", "correction"), ("d", outline)]) { mark in
                    mark.element("title", text: CorrectionTable.summary(correction, in: report))
                }
            }
        }
    }

    private func drawScaleBar(into svg: inout Markup) {
        let metres = Scale.step(size.width / 8 / scale)
        let (x, y) = (Self.inset, size.height - 10)
        let end = (x + metres * scale).text(1)
        svg.empty("path", [("class", "axis"), ("d", "M\(x.text(0)) \(y.text(0))L\(end) \(y.text(0))")])
        let text = metres >= 1000 ? "\((metres / 1000).text(0)) km" : "\(metres.text(metres < 1 ? 1 : 0)) m"
        svg.element("text", [("x", x.text(0)), ("y", (y - 5).text(0))], text: text)
    }
}
