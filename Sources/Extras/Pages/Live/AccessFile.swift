import JSON
import Web

/// Permissions of pages, in a file that they read when they start.
enum AccessFile {
    static let path = "/access.json"

    /// Response with the content of the file.
    static func page(allowsChanges: Bool) -> WebSite.Page {
        let content = JSONWriter.object { $0.member("changes", allowsChanges) }
        return { _ in WebResponse(type: "application/json", body: content) }
    }
}
