/// Figures of one recording as a list, or figures of two recordings as a table with two columns.
struct FigureTable {
    let reports: [WalkReport]

    func draw(into markup: inout Markup) {
        guard let facts = reports.first?.facts, !facts.isEmpty else { return }
        if reports.count == 1 { return drawList(facts, into: &markup) }
        markup.table("figures", headings: drawHead) { body in
            for (index, fact) in facts.enumerated() {
                body.element("tr") { row in
                    row.element("th", [("scope", "row")], text: fact.name)
                    row.elements("td", texts: reports.map { index < $0.facts.count ? $0.facts[index].value : "" })
                }
            }
        }
    }

    private func drawList(_ facts: [WalkReport.Fact], into markup: inout Markup) {
        markup.element("dl") { list in
            for fact in facts {
                list.element("div") { pair in
                    pair.element("dt", text: fact.name)
                    pair.element("dd", text: fact.value)
                }
            }
        }
    }

    private func drawHead(into row: inout Markup) {
        row.element("td") { _ in }
        for (report, style) in zip(reports, ["first", "second"]) {
            row.element("th", [("scope", "col"), ("class", style)], text: report.title)
        }
    }
}
