/// Parts that the live page and the report's page share: style, colours, and the drawing of maps. They are embedded in
/// the program.
package enum PageKit {
    /// Style sheet that a page places before its own.
    package static var style: [UInt8] { PackageResources.theme_css }

    /// Scripts as JavaScript modules, with their names. They are in an order in which no module uses a later one.
    package static let modules: [(name: String, content: [UInt8])] = [
        ("canvas.js", PackageResources.canvas_js),
        ("elements.js", PackageResources.elements_js),
        ("figures.js", PackageResources.figures_js),
        ("gestures.js", PackageResources.gestures_js),
        ("theme.js", PackageResources.theme_js),
        ("map_view.js", PackageResources.map_view_js),
        ("plan_drawing.js", PackageResources.plan_drawing_js),
        ("map_card.js", PackageResources.map_card_js),
    ]

    /// The same scripts without `import` and `export`, for a page with one script.
    package static var script: [UInt8] {
        modules.flatMap { module in
            module.content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .filter { !$0.starts(with: importing) }
                .map { $0.starts(with: exporting) ? $0.dropFirst(exporting.count) : $0 }
                .joined(separator: [UInt8(ascii: "\n")])
        }
    }

    private static let importing = Array("import ".utf8)
    private static let exporting = Array("export ".utf8)
}
