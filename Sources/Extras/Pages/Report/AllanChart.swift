import Calibration

/// Allan deviation of a gyroscope and an accelerometer, as a self-contained SVG 1.1 drawing.
///
/// Each axis has its curve with a band of one standard deviation, the sum of the fitted noise processes as a dashed
/// line, and a row with the coefficients. Light and dark colours follow the user's screen.
package struct AllanChart {
    /// Name, unit and noise of one axis.
    package struct Axis {
        let name: String
        let unit: String
        let noise: AxisNoise

        package init(name: String, unit: String, noise: AxisNoise) {
            self.name = name
            self.unit = unit
            self.noise = noise
        }
    }

    /// Axes of one sensor, which share a diagram.
    struct Panel {
        let name: String
        let unit: String
        let axes: [Axis]
    }

    let title: String
    let panels: [Panel]

    /// Sorts the axes into panels.
    ///
    /// - Parameters:
    ///   - axes: gyroscope x, y, z, then accelerometer x, y, z. Axes without a curve are omitted.
    package init(title: String, axes: [Axis]) {
        self.title = title
        let sensors = [("Gyroscope", axes.prefix(3)), ("Accelerometer", axes.dropFirst(3).prefix(3))]
        panels = sensors.compactMap { name, axes in
            let drawn = axes.filter { axis in axis.noise.curve.contains(where: \.isDrawable) }
            return drawn.first.map { Panel(name: name, unit: $0.unit, axes: Array(drawn)) }
        }
    }

    /// Makes a drawing of a calibration's result. `isOfCounts` is true if the samples were raw counts instead of SI
    /// units.
    package init(title: String, _ noise: [AxisNoise], isOfCounts: Bool) {
        self.init(
            title: title,
            axes: zip(["x", "y", "z", "x", "y", "z"], noise).enumerated().map { index, axis in
                let unit = isOfCounts ? "counts" : index < 3 ? "rad/s" : "m/s²"
                return Axis(name: axis.0, unit: unit, noise: axis.1)
            })
    }

    private static let width = 960.0
    private static let head = 44.0

    package func file() -> [UInt8] {
        var markup = Markup()
        let height = Self.head + panels.reduce(0) { $0 + AllanPanel.height(of: $1) } + (panels.isEmpty ? 40 : 0)
        markup.verbatim("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        let attributes: [Markup.Attribute] = [
            ("xmlns", "http://www.w3.org/2000/svg"), ("width", Self.width.text(0)), ("height", height.text(0)),
            ("viewBox", "0 0 \(Self.width.text(0)) \(height.text(0))"), ("role", "img"),
        ]
        markup.element("svg", attributes) { svg in
            svg.element("title", text: title)
            svg.element("style") { $0.verbatim(Self.style) }
            svg.empty("rect", [("class", "paper"), ("width", Self.width.text(0)), ("height", height.text(0))])
            svg.label("20", "28", "head", title)
            if panels.isEmpty {
                svg.element("text", [("x", "20"), ("y", "60")], text: "No curve: the record is too short.")
            }
            var top = Self.head
            for panel in panels {
                AllanPanel(panel: panel, width: Self.width, top: top).draw(into: &svg)
                top += AllanPanel.height(of: panel)
            }
        }
        return markup.bytes
    }

    /// Style with the colours of the report. They can be distinguished without red and green, and on white or black.
    /// CSS variables are not used, because many SVG renderers do not support them.
    private static let style: StaticString = """

        svg { font: 12px system-ui, sans-serif; }
        .paper { fill: #ffffff; } text { fill: #5b6675; } .head { fill: #1c2430; font-size: 16px; }
        .name { fill: #1c2430; font-weight: bold; } .value { fill: #1c2430; font-variant-numeric: tabular-nums; }
        .end { text-anchor: end; } .middle { text-anchor: middle; }
        .grid { stroke: #d3d8de; fill: none; } .fine { stroke: #eef0f3; fill: none; }
        .frame { stroke: #5b6675; fill: none; }
        .line { fill: none; stroke-width: 1.8; stroke-linejoin: round; } .band { stroke: none; opacity: .18; }
        .fitted { fill: none; stroke-width: 1.2; stroke-dasharray: 5 4; }
        .line.a, .fitted.a { stroke: #0b62c4; } .line.b, .fitted.b { stroke: #c2570c; }
        .line.c, .fitted.c { stroke: #6b3fa0; }
        .band.a, text.a { fill: #0b62c4; } .band.b, text.b { fill: #c2570c; } .band.c, text.c { fill: #6b3fa0; }
        @media (prefers-color-scheme: dark) {
          .paper { fill: #14181e; } text { fill: #a9b4c2; } .head, .name, .value { fill: #e6e9ee; }
          .grid { stroke: #3a434e; } .fine { stroke: #222931; } .frame { stroke: #a9b4c2; }
          .line.a, .fitted.a { stroke: #6cb2ff; } .line.b, .fitted.b { stroke: #ffa45c; }
          .line.c, .fitted.c { stroke: #c3a2f0; }
          .band.a, text.a { fill: #6cb2ff; } .band.b, text.b { fill: #ffa45c; } .band.c, text.c { fill: #c3a2f0; }
        }

        """
}

extension AllanPoint {
    /// Whether the point can be drawn on logarithmic axes.
    var isDrawable: Bool {
        tau > 1e-9 && tau < 1e12 && deviation > 1e-30 && deviation < 1e30 && uncertainty >= 0
    }

    /// Bounds one standard deviation below and above the curve. The lower bound stays positive.
    var band: (low: Double, high: Double) {
        let share = min(uncertainty, 0.9)
        return (deviation * (1 - share), deviation * (1 + share))
    }
}
