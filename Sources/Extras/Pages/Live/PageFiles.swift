import Linux
import Web

/// Files of the live page. They are embedded in this program, except for three.js, which Debian installs.
enum PageFiles {
    /// The page runs only its own scripts, and connects only to its own server. Pictures of places may be on any
    /// server, because the page loads them only on request.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob: http: https:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    private static let script = "text/javascript; charset=utf-8"

    /// Path at which libjs-three installs three.js.
    private static let threeFile = WholeFile(path: "/usr/share/javascript/three/three.min.js")
    /// Maximum size of three.js, several times its usual size. Unit: bytes.
    private static let maximumThreeSize = 4 << 20

    static let pages: [String: WebSite.Page] = {
        var pages: [String: WebSite.Page] = [
            "/": file("text/html; charset=utf-8", PackageResources.page_html),
            "/style.css": file("text/css; charset=utf-8", PageKit.style + PackageResources.style_css),
            "/three.js": { _ in three() },
        ]
        for (name, content) in PageKit.modules + scripts { pages["/\(name)"] = file(script, content) }
        return pages
    }()

    private static let scripts: [(name: String, content: [UInt8])] = [
        ("arrow.js", PackageResources.arrow_js),
        ("backdrop.js", PackageResources.backdrop_js),
        ("compass.js", PackageResources.compass_js),
        ("connection.js", PackageResources.connection_js),
        ("daemon.js", PackageResources.daemon_js),
        ("event_panel.js", PackageResources.event_panel_js),
        ("eye.js", PackageResources.eye_js),
        ("geometry.js", PackageResources.geometry_js),
        ("hints.js", PackageResources.hints_js),
        ("inspection.js", PackageResources.inspection_js),
        ("label.js", PackageResources.label_js),
        ("label_room.js", PackageResources.label_room_js),
        ("lists.js", PackageResources.lists_js),
        ("map.js", PackageResources.map_js),
        ("map_drawing.js", PackageResources.map_drawing_js),
        ("map_lines.js", PackageResources.map_lines_js),
        ("mark.js", PackageResources.mark_js),
        ("navigation.js", PackageResources.navigation_js),
        ("notice.js", PackageResources.notice_js),
        ("page.js", PackageResources.page_js),
        ("pictures.js", PackageResources.pictures_js),
        ("place_card.js", PackageResources.place_card_js),
        ("placements.js", PackageResources.placements_js),
        ("pose_panel.js", PackageResources.pose_panel_js),
        ("poses.js", PackageResources.poses_js),
        ("route_panel.js", PackageResources.route_panel_js),
        ("sensor_panel.js", PackageResources.sensor_panel_js),
        ("tile_layer.js", PackageResources.tile_layer_js),
        ("view.js", PackageResources.view_js),
        ("view_card.js", PackageResources.view_card_js),
        ("words.js", PackageResources.words_js),
    ]

    private static func file(_ type: String, _ content: [UInt8]) -> WebSite.Page {
        { _ in WebResponse(type: type, policy: policy, body: content) }
    }

    /// Reads three.js for each response, so that it takes no memory while there are no visitors.
    private static func three() -> WebResponse {
        guard let content = try? threeFile.read(maximumLength: maximumThreeSize), content.count <= maximumThreeSize
        else {
            return WebResponse(
                status: 404, text: "three.js is not installed: install it with `sudo apt-get install libjs-three`")
        }
        return WebResponse(type: script, policy: policy, body: content)
    }
}
