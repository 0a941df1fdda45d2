/// The parts of an HTTP request that pages and rules need.
public struct WebRequest: Hashable, Sendable {
    /// Method in capital letters; empty if the method is unknown.
    public var method: String
    /// Path without the query; %-sequences are decoded.
    public var path: String
    /// Argument `token` of the query; empty if there is none.
    public var token: String
    /// Header `Host`; empty if there is none.
    public var host: String
    /// Header `Origin`: origin of the page that makes the request; empty if there is none.
    public var origin: String
    /// Header `Accept`; empty if there is none.
    public var accept: String
    /// Whether one of the above exceeds the length limit of the server.
    var isTooLong = false
    /// Request to become a WebSocket; nil if this is a request for a page.
    var upgrade: Upgrade?

    /// Request to become a WebSocket.
    struct Upgrade: Hashable, Sendable {
        /// `Sec-WebSocket-Version`.
        var version: String
        /// Offered subprotocols, preferred ones first.
        var subprotocols: [String]
    }

    /// Makes a request for a page.
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
