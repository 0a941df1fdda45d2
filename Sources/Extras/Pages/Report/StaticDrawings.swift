/// All drawings of one recording as SVG, for browsers without scripts.
struct StaticDrawings {
    let report: WalkReport
    /// Prefix by which the anchors of two recordings on one page differ.
    let prefix: String

    func draw(into markup: inout Markup) {
        TrackMap(report, prefix: prefix)?.draw(into: &markup)
        for chart in report.charts(bins: WalkReport.staticBins) {
            TimeChart(chart: chart, duration: report.duration).draw(into: &markup)
        }
        BandChart(title: "State", bars: bars(report.states), duration: report.duration).draw(into: &markup)
        BandChart(title: "What was missing or wrong", bars: bars(report.reasons), duration: report.duration)
            .draw(into: &markup)
    }

    private func bars(_ spans: [WalkReport.Span]) -> [(word: String, from: Double, to: Double)] {
        spans.map { ($0.word, report.seconds($0.from), report.seconds($0.to)) }
    }
}
