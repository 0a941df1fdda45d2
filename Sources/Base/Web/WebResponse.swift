/// A complete HTTP response in memory.
///
/// Its headers forbid browsers to store the response, frame it, show it to pages of other servers, or load anything
/// that its policy does not name.
package struct WebResponse: Hashable, Sendable {
    package var status: Int
    package var type: String
    /// `Content-Security-Policy`; the default lets a page load nothing.
    package var policy: String
    package var body: [UInt8]
    /// Further headers, such as `Allow`.
    var headers: [Header] = []

    struct Header: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// Policy of a page that loads nothing.
    package static let closedPolicy = "default-src 'none'; frame-ancestors 'none'"

    package init(status: Int = 200, type: String, policy: String = closedPolicy, body: [UInt8]) {
        self.status = status
        self.type = type
        self.policy = policy
        self.body = body
    }

    package init(status: Int = 200, text: String) {
        self.init(status: status, type: "text/plain; charset=utf-8", body: Array((text + "\n").utf8))
    }

    /// Makes a response that refuses a request, with the reason.
    static func refusal(_ status: Int, _ reason: String, header: Header? = nil) -> WebResponse {
        var response = WebResponse(status: status, text: reason)
        if let header { response.headers = [header] }
        return response
    }

    /// Returns the bytes on the wire.
    ///
    /// - Parameter hasBody: false for the response to HEAD, whose headers are those of GET.
    func encoded(hasBody: Bool) -> [UInt8] {
        var head = "HTTP/1.1 \(status) \(Self.phrase(status))\r\n"
        let fixed = [
            ("Content-Type", type), ("Content-Length", "\(body.count)"), ("Content-Security-Policy", policy),
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("Connection", "close"),
        ]
        for (name, value) in fixed { head += "\(name): \(value)\r\n" }
        for header in headers { head += "\(header.name): \(header.value)\r\n" }
        return Array((head + "\r\n").utf8) + (hasBody ? body : [])
    }

    private static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 204: "No Content"
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 413: "Content Too Large"
        case 421: "Misdirected Request"
        case 426: "Upgrade Required"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: "Status"
        }
    }
}
