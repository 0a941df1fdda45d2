/// Script of the page. It consists of the shared scripts and the files of `Resources`, in one scope. Its characters
/// need no escapes in XML.
enum ReportScript {
    /// SHA-256 of `bytes` in base 64. By this value browsers recognise the script, and they run no other. A test checks
    /// the value.
    static let hash = "wJhYIkw3mVwjp31tXJmKX52FOTK1fAvcenmwTAmvJ7A="

    private static let parts = [
        PackageResources.data_js, PackageResources.time_js, PackageResources.drawing_js, PackageResources.plots_js,
        PackageResources.report_map_js, PackageResources.report_page_js,
    ]

    static var bytes: [UInt8] {
        Array("//<![CDATA[\n\"use strict\";\n(() => {\n".utf8) + PageKit.script + Array(parts.joined())
            + Array("})();\n//]]>\n".utf8)
    }
}
