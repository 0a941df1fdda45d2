import Messages

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

extension WalkReport {
    /// Style sheet of the page, for light and dark screens and for paper. Colours are distinguishable without red and
    /// green.
    static let style: StaticString = """

        :root { color-scheme: light dark; --ink: #1c2430; --paper: #ffffff; --faint: #8a93a0; --grid: #e3e6ea;
          --a: #0b62c4; --b: #c2570c; --c: #6b3fa0; --fix: #5b6675; }
        @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --paper: #14181e; --faint: #7d8794;
          --grid: #2b323b; --a: #6cb2ff; --b: #ffa45c; --c: #c3a2f0; --fix: #a9b4c2; } }
        body { margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: var(--ink); background: var(--paper);
          font: 15px/1.45 system-ui, sans-serif; }
        h1 { font-size: 1.5rem; overflow-wrap: anywhere; } h2 { font-size: 1.15rem; margin-top: 2rem; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
        dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
        .warnings { border-left: .25rem solid var(--b); padding: .3rem 1.5rem; }
        .note { color: var(--faint); font-size: .85rem; }
        figure { margin: 1.5rem 0; } figcaption { margin-bottom: .4rem; }
        .key { margin-left: 1rem; white-space: nowrap; font-size: .85rem; }
        .key::before { content: ''; display: inline-block; width: .9rem; height: .2rem; margin-right: .35rem;
          vertical-align: middle; background: currentColor; }
        .key.a { color: var(--a); } .key.b { color: var(--b); } .key.c, .key.correction { color: var(--c); }
        .key.fix { color: var(--fix); }
        svg { width: 100%; height: auto; display: block; border: 1px solid var(--grid); }
        svg text { fill: var(--faint); font-size: 11px; } .end { text-anchor: end; } .middle { text-anchor: middle; }
        .line { fill: none; stroke-width: 1.6; stroke-linejoin: round; } .band { stroke: none; opacity: .18; }
        .line.a { stroke: var(--a); } .line.b { stroke: var(--b); } .line.c { stroke: var(--c); }
        .band.a { fill: var(--a); } .band.b { fill: var(--b); }
        .grid { stroke: var(--grid); fill: none; } .axis { stroke: var(--ink); stroke-width: 2; fill: none; }
        circle.accuracy { fill: var(--fix); fill-opacity: .06; stroke: none; } circle.fix { fill: var(--fix); }
        path.correction { fill: var(--c); fill-opacity: .75; stroke: var(--paper); stroke-width: .5; }
        .line.scene { stroke-dasharray: 6 3; }
        .moment { stroke: var(--c); fill: none; } .bar { fill: var(--a); opacity: .75; }
        table { border-collapse: collapse; width: 100%; font-size: .85rem; font-variant-numeric: tabular-nums; }
        th, td { text-align: right; padding: .15rem .5rem; border-bottom: 1px solid var(--grid); }
        th:last-child, td:last-child { text-align: left; } th { position: sticky; top: 0; background: var(--paper); }
        tr:target { outline: 2px solid var(--c); }
        @media print { body { max-width: none; } th { position: static; } }

        """
}
