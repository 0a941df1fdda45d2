import Calibration
import Glibc

/// Diagram of one sensor's axes, with the table of coefficients below it.
struct AllanPanel {
    let panel: AllanChart.Panel
    let width: Double
    /// Vertical position of the diagram's upper border in the drawing.
    let top: Double

    private static let left = 76.0
    private static let right = 20.0
    private static let name = 24.0
    private static let chart = 320.0
    private static let axis = 40.0
    private static let row = 19.0
    private static let styles = ["a", "b", "c"]

    static func height(of panel: AllanChart.Panel) -> Double {
        name + chart + axis + row * Double(panel.axes.count + 1) + 26
    }

    func draw(into svg: inout Markup) {
        let points = panel.axes.flatMap(\.noise.curve).filter(\.isDrawable)
        let (upper, lower) = (top + Self.name, top + Self.name + Self.chart)
        let times = DecadeScale(points.map(\.tau), from: Self.left, to: width - Self.right)
        let values = DecadeScale(points.flatMap { [$0.band.low, $0.band.high] }, from: lower, to: upper)
        svg.label("20", (top + 14).text(1), "name", panel.name)
        let about = "Allan deviation, \(panel.unit), by cluster time, s; dashed: fitted"
        svg.element("text", [("x", "130"), ("y", (top + 14).text(1))], text: about)
        drawGrid(times, values, upper, lower, into: &svg)
        for (axis, style) in zip(panel.axes, Self.styles) { draw(axis, style, times, values, into: &svg) }
        drawTable(lower + Self.axis + 12, into: &svg)
    }

    private func drawGrid(
        _ times: DecadeScale, _ values: DecadeScale, _ upper: Double, _ lower: Double, into svg: inout Markup
    ) {
        let end = width - Self.right
        func line(_ style: String, from: (x: Double, y: Double), to: (x: Double, y: Double)) {
            let path = "M\(from.x.text(1)) \(from.y.text(1))L\(to.x.text(1)) \(to.y.text(1))"
            svg.empty("path", [("class", style), ("d", path)])
        }
        func vertical(_ x: Double, _ style: String) { line(style, from: (x, upper), to: (x, lower)) }
        func horizontal(_ y: Double, _ style: String) { line(style, from: (Self.left, y), to: (end, y)) }
        for x in times.finePlaces { vertical(x, "fine") }
        for y in values.finePlaces { horizontal(y, "fine") }
        for power in times.first...times.last {
            let x = times.place(power: power)
            vertical(x, "grid")
            svg.label(x.text(1), (lower + 17).text(1), "middle", DecadeScale.text(power: power))
        }
        for power in values.first...values.last {
            let y = values.place(power: power)
            horizontal(y, "grid")
            svg.label((Self.left - 6).text(1), (y + 4).text(1), "end", DecadeScale.text(power: power))
        }
        let frame: [Markup.Attribute] = [
            ("class", "frame"), ("x", Self.left.text(1)), ("y", upper.text(1)),
            ("width", (end - Self.left).text(1)), ("height", (lower - upper).text(1)),
        ]
        svg.empty("rect", frame)
    }

    private func draw(
        _ axis: AllanChart.Axis, _ style: String, _ times: DecadeScale, _ values: DecadeScale, into svg: inout Markup
    ) {
        let points = axis.noise.curve.filter(\.isDrawable)
        var (line, band, fitted) = (Outline(), Outline(), Outline())
        for point in points {
            line.go(times.place(point.tau), values.place(point.deviation))
            band.go(times.place(point.tau), values.place(point.band.high))
            guard let value = axis.noise.fitted(at: point.tau), value > 1e-30, value < 1e30 else { continue }
            fitted.go(times.place(point.tau), values.place(value))
        }
        for point in points.reversed() { band.go(times.place(point.tau), values.place(point.band.low)) }
        band.close()
        svg.empty("path", [("class", "band " + style), ("d", band.text)])
        svg.empty("path", [("class", "line " + style), ("d", line.text)])
        if !fitted.isEmpty { svg.empty("path", [("class", "fitted " + style), ("d", fitted.text)]) }
    }

    // MARK: the table

    private static let columns: [Double] = [76, 170, 370, 570, 790]

    private func drawTable(_ first: Double, into svg: inout Markup) {
        let titles = [
            "axis", "random walk N, \(panel.unit)·√s", "bias instability B, \(panel.unit)",
            "rate random walk K, \(panel.unit)/√s", "at 1 s, \(panel.unit)",
        ]
        for (x, title) in zip(Self.columns, titles) {
            svg.element("text", [("x", x.text(0)), ("y", first.text(1))], text: title)
        }
        for (index, axis) in panel.axes.enumerated() {
            let y = first + Self.row * Double(index + 1)
            let noise = axis.noise
            let cells = [
                Self.text(noise.randomWalk, noise.uncertainties.randomWalk),
                Self.text(noise.biasInstability, noise.uncertainties.biasInstability),
                Self.text(noise.rateRandomWalk, noise.uncertainties.rateRandomWalk),
                Self.text(noise.deviation(at: 1), nil),
            ]
            svg.label(Self.columns[0].text(0), y.text(1), Self.styles[index], "— " + axis.name)
            for (x, cell) in zip(Self.columns.dropFirst(), cells) {
                svg.label(x.text(0), y.text(1), "value", cell)
            }
        }
    }

    /// Value with its relative uncertainty, such as `1.23e-04 ±5 %`.
    private static func text(_ value: Double?, _ uncertainty: Double?) -> String {
        guard let value, value.isFinite else { return "–" }
        let deviation = uncertainty.flatMap {
            $0.isFinite && $0 < 10 ? " ±\(($0 * 100).text($0 < 0.1 ? 1 : 0)) %" : nil
        }
        return scientific(value) + (deviation ?? "")
    }

    /// Value with three significant digits.
    private static func scientific(_ value: Double) -> String {
        guard value != 0 else { return "0" }
        var exponent = Int(log10(value.magnitude).rounded(.down))
        var mantissa = value / pow(10, Double(exponent))
        if mantissa.magnitude >= 9.995 {
            mantissa /= 10
            exponent += 1
        }
        if (-1..<4).contains(exponent) { return value.text(max(0, 2 - exponent)) }
        return mantissa.text(2) + "e\(exponent)"
    }
}
