/// Static line chart of values over time, for browsers without scripts.
struct TimeChart {
    let chart: ReportChart
    /// Duration of the recording. Unit: seconds.
    let duration: Double

    static let width = 960.0
    static let left = 56.0
    static let right = 12.0
    private static let height = 200.0
    private static let top = 10.0
    private static let bottom = 24.0
    /// Fraction of the values that determine the vertical range, so that a single peak does not flatten the rest.
    /// Values beyond the range are clamped.
    private static let shown = 0.98

    func draw(into markup: inout Markup) {
        let drawn = chart.lines.filter { !$0.samples.isEmpty }
        markup.element("figure") { figure in
            figure.element("figcaption") { caption in
                caption.element("b", text: "\(chart.title): \(chart.axis)")
                for line in drawn { caption.element("span", [("class", "key \(line.style)")], text: line.name) }
                if drawn.isEmpty { caption.text(" — none in this recording.") }
            }
            guard !drawn.isEmpty else { return }
            draw(drawn, into: &figure)
        }
    }

    private func draw(_ drawn: [ReportChart.Line], into figure: inout Markup) {
        let time = Self.timeScale(duration)
        let values = valueScale(drawn)
        figure.element("svg", [("viewBox", "0 0 \(Self.width.text(0)) \(Self.height.text(0))"), ("role", "img")]) {
            svg in
            svg.element("title", text: chart.title)
            Self.drawTimeAxis(time, height: Self.height, top: Self.top, bottom: Self.bottom, into: &svg)
            drawValueAxis(values, into: &svg)
            for line in drawn { draw(line, time, values, into: &svg) }
        }
    }

    private func draw(_ line: ReportChart.Line, _ time: Scale, _ values: Scale, into svg: inout Markup) {
        let band = bandOutline(line, time, values)
        if !band.isEmpty { svg.empty("path", [("class", "band \(line.style)"), ("d", band.text)]) }
        var outline = Outline()
        var last: Double?
        for sample in line.samples {
            if sample.isAfterGap { outline.lift() }
            // If a direction passes through north, the line is interrupted there.
            if chart.isDirection, let last, (sample.value - last).magnitude > 180 { outline.lift() }
            outline.go(time.place(sample.time), values.place(sample.value))
            last = sample.value
        }
        svg.empty("path", [("class", "line \(line.style)"), ("d", outline.text)])
    }

    /// Outline of the band. For each section without a gap, it runs forwards along the upper border and back along the
    /// lower one.
    private func bandOutline(_ line: ReportChart.Line, _ time: Scale, _ values: Scale) -> Outline {
        var outline = Outline()
        var stretch: [(x: Double, low: Double, high: Double)] = []
        func finish() {
            if stretch.count > 1 {
                for point in stretch { outline.go(point.x, point.high) }
                for point in stretch.reversed() { outline.go(point.x, point.low) }
                outline.close()
            }
            stretch.removeAll()
        }
        for point in line.samples {
            if point.isAfterGap { finish() }
            let value = point.value
            guard let standardDeviation = point.standardDeviation else {
                finish()
                continue
            }
            stretch.append(
                (
                    time.place(point.time), values.place(value - standardDeviation),
                    values.place(value + standardDeviation)
                ))
        }
        finish()
        return outline
    }

    private func valueScale(_ drawn: [ReportChart.Line]) -> Scale {
        let all = drawn.flatMap { $0.samples.map(\.value) }.sorted()
        let (from, to) = (Self.height - Self.bottom, Self.top)
        if chart.isDirection { return Scale(0, 360, from: from, to: to) }
        let spare = Int(Double(all.count - 1) * (1 - Self.shown))
        var (low, high) = (all[spare], all[all.count - 1 - spare])
        if chart.hasZero { (low, high) = (min(0, low), max(0, high)) }
        let margin = max(0.1 * (high - low), 1e-3)
        if !chart.hasZero { return Scale(low - margin, high + margin, from: from, to: to) }
        return Scale(low < 0 ? low - margin : 0, high > 0 ? high + margin : 0, from: from, to: to)
    }

    private func drawValueAxis(_ values: Scale, into svg: inout Markup) {
        let isDirection = chart.isDirection
        let ticks = isDirection ? [0, 90, 180, 270, 360] : values.ticks(about: 4)
        let decimals = isDirection || values.upper - values.lower > 8 ? 0 : values.upper - values.lower > 0.8 ? 1 : 2
        for tick in ticks {
            let y = values.place(tick)
            let end = (Self.width - Self.right).text(0)
            svg.empty("path", [("class", "grid"), ("d", "M\(Self.left.text(0)) \(y.text(1))L\(end) \(y.text(1))")])
            svg.label((Self.left - 6).text(0), (y + 4).text(1), "end", tick.text(decimals))
        }
    }

    // MARK: common parts of drawings over time

    static func timeScale(_ duration: Double) -> Scale {
        Scale(0, max(duration, 1), from: left, to: width - right)
    }

    /// Draws grid lines and labels at whole seconds, minutes or hours.
    static func drawTimeAxis(
        _ time: Scale, height: Double, top: Double, bottom: Double, into svg: inout Markup
    ) {
        for tick in time.timeTicks(about: 8) {
            let x = time.place(tick).text(1)
            svg.empty("path", [("class", "grid"), ("d", "M\(x) \(top.text(0))L\(x) \((height - bottom).text(0))")])
            svg.label(x, (height - 6).text(0), "middle", elapsedText(tick))
        }
    }
}

/// Timeline of states. Each state has a row, with a bar for each of its periods.
struct BandChart {
    let title: String
    /// Periods in order of time. Unit: seconds since the start.
    let bars: [(word: String, from: Double, to: Double)]
    /// Duration of the recording. Unit: seconds.
    let duration: Double

    private static let row = 20.0
    private static let bottom = 24.0
    /// Width of the column of names.
    private static let left = 180.0

    func draw(into markup: inout Markup) {
        // States, in the order of their first periods.
        var words: [String] = []
        for bar in bars where !words.contains(bar.word) { words.append(bar.word) }
        markup.element("figure") { figure in
            figure.element("figcaption") { caption in
                caption.element("b", text: title)
                if words.isEmpty { caption.text(" — none.") }
            }
            guard !words.isEmpty else { return }
            draw(words, into: &figure)
        }
    }

    private func draw(_ words: [String], into figure: inout Markup) {
        let height = Double(words.count) * Self.row + Self.bottom
        let time = Scale(0, max(duration, 1), from: Self.left, to: TimeChart.width - TimeChart.right)
        let box = "0 0 \(TimeChart.width.text(0)) \(height.text(0))"
        figure.element("svg", [("viewBox", box), ("role", "img")]) { svg in
            svg.element("title", text: title)
            TimeChart.drawTimeAxis(time, height: height, top: 0, bottom: Self.bottom, into: &svg)
            for (index, word) in words.enumerated() {
                let y = Double(index) * Self.row
                svg.label((Self.left - 6).text(0), (y + 14).text(0), "end", word)
                for bar in bars where bar.word == word { draw(bar, y, time, into: &svg) }
            }
        }
    }

    private func draw(
        _ bar: (word: String, from: Double, to: Double), _ y: Double, _ time: Scale, into svg: inout Markup
    ) {
        let (from, to) = (time.place(bar.from), time.place(bar.to))
        let attributes: [Markup.Attribute] = [
            ("class", "bar-span"), ("x", from.text(1)), ("y", (y + 3).text(0)),
            // With a minimum width, even the shortest period is visible.
            ("width", max(to - from, 1).text(1)), ("height", (Self.row - 6).text(0)),
        ]
        svg.element("rect", attributes) { rect in
            rect.element("title", text: "\(bar.word), \(elapsedText(bar.from)) to \(elapsedText(bar.to))")
        }
    }
}
