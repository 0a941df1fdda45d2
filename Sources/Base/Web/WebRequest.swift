/// HTTP request: what pages and rules need of it.
public struct WebRequest: Hashable, Sendable {
    /// Method in capital letters; empty for one that is not known.
    public var method: String
    /// Path without the query; %-sequences are decoded.
    public var path: String
    /// Argument `token` of the query; empty if there is none.
    public var token: String
    /// `Host`; empty if there is none.
    public var host: String
    /// `Origin`: the page of a browser that makes the request; empty if there is none.
    public var origin: String
    /// `Accept`; empty if there is none.
    public var accept: String
    /// Whether one of these is longer than the server reads.
    var isTooLong = false
    /// The request to become a WebSocket; nil for one of a page.
    var upgrade: Upgrade?

    /// Request to become a WebSocket.
    struct Upgrade: Hashable, Sendable {
        /// `Sec-WebSocket-Version`.
        var version: String
        /// Offered subprotocols, those that the client prefers first.
        var subprotocols: [String]
    }

    /// Collects the parts of a request for a page.
    public init(
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
