import JSON
import Web

/// File with the permissions of pages, which a page reads when it starts.
enum AccessFile {
    static let path = "/access.json"

    /// Makes a response with the content of the file.
    static func page(allowsChanges: Bool) -> WebSite.Page {
        let content = JSONWriter.object { $0.member("changes", allowsChanges) }
        return { _ in WebResponse(type: "application/json", body: content) }
    }
}
