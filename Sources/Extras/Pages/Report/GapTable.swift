/// List of all gaps of sensors and fixes.
struct GapTable {
    let report: WalkReport

    func draw(into markup: inout Markup) {
        let gaps = report.rates.flatMap { rate in rate.gaps.map { (name: rate.name, gap: $0) } }
            .sorted { $0.gap.from < $1.gap.from }
        markup.element("p", text: sentence(gaps.count))
        guard !gaps.isEmpty else { return }
        markup.element("table", [("class", "gaps")]) { table in
            table.element("thead") { head in
                head.element("tr") { row in
                    for heading in ["Of", "From", "To", "Duration, s"] {
                        row.element("th", [("scope", "col")], text: heading)
                    }
                }
            }
            table.element("tbody") { body in
                for (name, gap) in gaps {
                    body.element("tr") { row in
                        row.element("td", text: name)
                        row.element("td", text: elapsedText(gap.from, decimals: 1))
                        row.element("td", text: elapsedText(gap.to, decimals: 1))
                        row.element("td", text: gap.duration.text(2))
                    }
                }
            }
        }
    }

    private func sentence(_ count: Int) -> String {
        let rule = "A gap is longer than half a second and than three usual intervals of the sensor."
        guard count > 0 else { return "There were none. \(rule)" }
        let isIncomplete = report.rates.contains(where: \.isIncomplete)
        return "\(count)\(isIncomplete ? " or more, of which the first are listed" : " in all"). \(rule)"
    }
}
