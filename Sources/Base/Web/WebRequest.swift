/// The parts of an HTTP request that pages and rules need.
package struct WebRequest: Hashable, Sendable {
    /// Method in capital letters; empty if the method is unknown.
    package var method: String
    /// Path without the query; %-sequences are decoded.
    package var path: String
    /// Argument `token` of the query; empty if there is none.
    package var token: String
    /// Header `Host`; empty if there is none.
    package var host: String
    /// Header `Origin`: origin of the page that makes the request; empty if there is none.
    package var origin: String
    /// Header `Accept`; empty if there is none.
    package var accept: String
    /// Whether one of the properties above exceeds the length limit of the server.
    var isTooLong = false
    /// Request to become a WebSocket; nil if this is a request for a page.
    var upgrade: Upgrade?

    struct Upgrade: Hashable, Sendable {
        /// `Sec-WebSocket-Version`.
        var version: String
        /// Offered subprotocols, preferred ones first.
        var subprotocols: [String]
    }

    package init(
        method: String = "GET", path: String, token: String = "", host: String = "", origin: String = "",
        accept: String = ""
    ) {
        self.method = method
        self.path = path
        self.token = token
        self.host = host
        self.origin = origin
        self.accept = accept
    }
}
