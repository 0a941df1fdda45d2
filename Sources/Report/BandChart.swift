/// Timeline of states: one row per state, one bar per period in it.
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
        // In the order of their first periods.
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
                svg.element(
                    "text", [("x", (Self.left - 6).text(0)), ("y", (y + 14).text(0)), ("class", "end")], text: word)
                for bar in bars where bar.word == word { draw(bar, y, time, into: &svg) }
            }
        }
    }

    private func draw(
        _ bar: (word: String, from: Double, to: Double), _ y: Double, _ time: Scale, into svg: inout Markup
    ) {
        let (from, to) = (time.place(bar.from), time.place(bar.to))
        let attributes: [Markup.Attribute] = [
            ("class", "bar"), ("x", from.text(1)), ("y", (y + 3).text(0)),
            // Keeps the shortest period visible.
            ("width", max(to - from, 1).text(1)), ("height", (Self.row - 6).text(0)),
        ]
        svg.element("rect", attributes) { rect in
            rect.element("title", text: "\(bar.word), \(elapsedText(bar.from)) to \(elapsedText(bar.to))")
        }
    }
}
