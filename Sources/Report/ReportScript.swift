import PageKit

/// The page's own script: what pages share and the files of `Resources`, in one scope and as characters that a parser
/// of XML leaves alone.
enum ReportScript {
    /// SHA-256 of `bytes` in base 64, by which browsers run it and no other script; a test compares it.
    static let hash = "gvU+SeoY//o/77bSf/IeGihvb8xPfyBSvbEvdL77IY4="

    private static let parts = [
        PackageResources.data_js, PackageResources.time_js, PackageResources.drawing_js, PackageResources.plots_js,
        PackageResources.map_js, PackageResources.page_js,
    ]

    static var bytes: [UInt8] {
        Array("//<![CDATA[\n\"use strict\";\n(() => {\n".utf8) + PageKit.script + parts.joined()
            + Array("})();\n//]]>\n".utf8)
    }
}
