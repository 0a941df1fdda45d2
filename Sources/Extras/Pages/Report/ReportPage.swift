/// A page about one recording, or about two side by side. It is HTML in UTF-8 that is also well-formed XML. Style,
/// script and data are embedded, so that the page needs no network.
package struct ReportPage {
    private let reports: [WalkReport]

    /// Makes a page about one recording.
    package init(_ report: WalkReport) { reports = [report] }

    /// Makes a page about two recordings, in the order of its columns.
    package init(_ first: WalkReport, _ second: WalkReport) { reports = [first, second] }

    package func bytes() -> [UInt8] {
        var markup = Markup()
        markup.verbatim("<!DOCTYPE html>\n")
        markup.element("html", [("lang", "en")]) { html in
            html.element("head") { drawHead(into: &$0) }
            html.element("body") { body in
                body.element("h1", text: title)
                FigureTable(reports: reports).draw(into: &body)
                drawWarnings(into: &body)
                drawDrawings(into: &body)
                drawTables(into: &body)
                drawScript(into: &body)
            }
        }
        return markup.bytes
    }

    private var title: String { reports.map(\.title).joined(separator: " beside ") }

    private func drawHead(into head: inout Markup) {
        head.empty("meta", [("charset", "utf-8")])
        // With this policy, browsers fetch nothing, and run only the page's own script even if a text could inject
        // markup.
        let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(ReportScript.hash)'"
        head.empty("meta", [("http-equiv", "Content-Security-Policy"), ("content", policy)])
        head.empty("meta", [("name", "viewport"), ("content", "width=device-width, initial-scale=1")])
        head.element("title", text: "\(title): report")
        head.element("style") { $0.verbatim(PageKit.style + PackageResources.report_css) }
    }

    private func drawWarnings(into body: inout Markup) {
        for report in reports {
            AgreementText(report: report, isNamed: reports.count > 1).draw(into: &body)
            guard !report.warnings.isEmpty else { continue }
            body.element("ul", [("class", "warnings")]) { list in
                for warning in report.warnings { list.element("li", text: warning) }
            }
        }
    }

    /// Draws the container of the interactive drawings. It contains the static drawings, for browsers without scripts.
    private func drawDrawings(into body: inout Markup) {
        if reports.allSatisfy({ $0.firstPosition == nil }) {
            body.element("p", text: "No position was known at any time: there is no track to draw.")
        }
        body.element("main", [("id", "drawings")]) { main in
            main.element("noscript") { alternative in
                alternative.element(
                    "p", [("class", "note")], text: "These drawings stand still: this browser runs no scripts.")
                for (index, report) in reports.enumerated() {
                    if reports.count > 1 { alternative.element("h2", text: report.title) }
                    StaticDrawings(report: report, prefix: Self.prefix(index)).draw(into: &alternative)
                }
            }
        }
    }

    private func drawTables(into body: inout Markup) {
        for (index, report) in reports.enumerated() {
            let name = reports.count > 1 ? ": " + report.title : ""
            body.element("h2", text: "Gaps" + name)
            GapTable(report: report).draw(into: &body)
            body.element("h2", text: "Corrections of the scene frame" + name)
            CorrectionTable(report: report, prefix: Self.prefix(index)).draw(into: &body)
        }
    }

    private func drawScript(into body: inout Markup) {
        body.element("script", [("type", "application/json"), ("id", "data")]) {
            $0.verbatim(PageData(reports: reports).text())
        }
        body.element("script") { $0.verbatim(ReportScript.bytes) }
    }

    /// Prefix by which the anchors of the second recording differ.
    static func prefix(_ index: Int) -> String { index == 0 ? "" : "second-" }
}

extension WalkReport {
    /// The report as a separate page.
    package func page() -> [UInt8] { ReportPage(self).bytes() }
}
