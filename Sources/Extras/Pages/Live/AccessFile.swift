import JSON
import Web

/// Permissions of pages, in a file that they read when they start.
enum AccessFile {
    static let path = "/access.json"

    /// Response with the content of the file.
    static func page(allowsChanges: Bool) -> WebSite.Page {
        var json = JSONWriter()
        json.beginObject()
        json.member("changes", allowsChanges)
        json.endObject()
        let content = json.bytes
        return { _ in WebResponse(type: "application/json", body: content) }
    }
}
