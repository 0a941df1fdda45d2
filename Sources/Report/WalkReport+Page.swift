extension WalkReport {
    /// The report as a self-contained HTML page: no scripts, no network access, no other files.
    ///
    /// HTML in UTF-8 that is also well-formed XML, so that other programs can parse it.
    public func page() -> [UInt8] {
        var markup = Markup()
        markup.verbatim("<!DOCTYPE html>\n")
        markup.element("html", [("lang", "en")]) { html in
            html.element("head") { drawHead(into: &$0) }
            html.element("body") { body in
                drawHeader(into: &body)
                drawTracks(into: &body)
                drawCharts(into: &body)
                CorrectionTable(report: self).draw(into: &body)
            }
        }
        return markup.bytes
    }

    private func drawHead(into head: inout Markup) {
        head.empty("meta", [("charset", "utf-8")])
        // Browsers then fetch nothing, even if a text could inject a reference.
        head.empty(
            "meta",
            [
                ("http-equiv", "Content-Security-Policy"),
                ("content", "default-src 'none'; style-src 'unsafe-inline'"),
            ])
        head.empty("meta", [("name", "viewport"), ("content", "width=device-width, initial-scale=1")])
        head.element("title", text: "\(title): report")
        head.element("style") { $0.verbatim(Self.style) }
    }

    private func drawHeader(into body: inout Markup) {
        body.element("h1", text: title)
        if !facts.isEmpty {
            body.element("dl") { list in
                for fact in facts {
                    list.element("dt", text: fact.name)
                    list.element("dd", text: fact.value)
                }
            }
        }
        guard !warnings.isEmpty else { return }
        body.element("ul", [("class", "warnings")]) { list in
            for warning in warnings { list.element("li", text: warning) }
        }
    }

    private func drawTracks(into body: inout Markup) {
        guard let map = TrackMap(self) else {
            return body.element("p", text: "No position was known at any time: there is no track to draw.")
        }
        map.draw(into: &body)
        let strides = [("fixes", fixes.stride), ("points of the tracks", moments.stride)].filter { $0.1 > 1 }
        guard !strides.isEmpty else { return }
        let parts = strides.map { "one of \($0.1) \($0.0)" }.joined(separator: ", ")
        body.element("p", [("class", "note")], text: "Of this long recording are drawn: \(parts).")
    }

    private func drawCharts(into body: inout Markup) {
        let moments = corrections.map { seconds($0.frame.time) }
        func chart(_ title: String, _ lines: [TimeChart.Line]) {
            TimeChart(title: title, lines: lines, duration: duration, moments: moments).draw(into: &body)
        }
        chart("Heading, °", [line("line of sight, from true or magnetic north", "a", \.heading, isDirection: true)])
        chart(
            "Accuracy of the position, 68 %, m",
            [
                line("horizontal", "a", \.horizontalAccuracy), line("vertical", "b", \.verticalAccuracy), fixAccuracy,
            ])
        chart("Accuracy of the heading, 68 %, °", [line("yaw", "a", \.yawAccuracy)])
        chart(
            "What the yaw would be corrected by, °",
            [
                line("monitor of the axes", "a", \.monitor, \.monitorStandardDeviation),
                line("pairs of estimates", "b", \.axes, \.axesStandardDeviation),
            ])
        chart(
            "Pairs that went into the monitor of the axes, °",
            [
                line("changes of velocity", "a", \.byVelocities, \.byVelocitiesStandardDeviation),
                line("the way between fixes", "b", \.byPositions, \.byPositionsStandardDeviation),
            ])
        BandChart(title: "State", bars: bars(states), duration: duration).draw(into: &body)
        BandChart(title: "What was missing or wrong", bars: bars(reasons), duration: duration).draw(into: &body)
    }

    private var fixAccuracy: TimeChart.Line {
        TimeChart.Line(
            name: "as the receiver says", style: "c",
            points: fixes.elements.map { TimeChart.Point(time: seconds($0.time), value: $0.accuracy) })
    }

    private func line(
        _ name: String, _ style: String, _ value: KeyPath<Moment, Double?>,
        _ standardDeviation: KeyPath<Moment, Double?>? = nil, isDirection: Bool = false
    ) -> TimeChart.Line {
        let points = moments.elements.map { moment in
            TimeChart.Point(
                time: seconds(moment.time), value: moment[keyPath: value],
                standardDeviation: standardDeviation.flatMap { moment[keyPath: $0] })
        }
        return TimeChart.Line(name: name, style: style, points: points, isDirection: isDirection)
    }

    private func bars(_ spans: [Span]) -> [(word: String, from: Double, to: Double)] {
        spans.map { ($0.word, seconds($0.from), seconds($0.to)) }
    }
}
