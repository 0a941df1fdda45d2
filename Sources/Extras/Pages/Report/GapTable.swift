/// List of all gaps in sensor data and fixes.
struct GapTable {
    let report: WalkReport

    func draw(into markup: inout Markup) {
        let gaps = report.rates.flatMap { rate in rate.gaps.map { (name: rate.name, gap: $0) } }
            .sorted { $0.gap.from < $1.gap.from }
        markup.element("p", text: sentence(gaps.count))
        guard !gaps.isEmpty else { return }
        let headings = ["Of", "From", "To", "Duration, s"]
        markup.table(
            "gaps", headings: { $0.elements("th", [("scope", "col")], texts: headings) },
            rows: { body in
                for (name, gap) in gaps {
                    let times = [gap.from, gap.to].map { elapsedText($0, decimals: 1) }
                    body.element("tr") { $0.elements("td", texts: [name] + times + [gap.duration.text(2)]) }
                }
            })
    }

    private func sentence(_ count: Int) -> String {
        let rule = "A gap is longer than half a second and than three usual intervals of the sensor."
        guard count > 0 else { return "There were none. \(rule)" }
        let isIncomplete = report.rates.contains(where: \.isIncomplete)
        return "\(count)\(isIncomplete ? " or more, of which the first are listed" : " in all"). \(rule)"
    }
}
