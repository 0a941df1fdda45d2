/// Limits of what clients can occupy. Of connections and WebSockets one user of this computer has three quarters at
/// most, as do all other computers together, and an eighth is kept for root and the server's own user.
public struct WebLimits: Hashable, Sendable {
    /// Number of connections, WebSockets included.
    public var connections = 64
    /// Number of WebSockets, fewer than connections, so that pages are served beside them.
    public var sockets = 32
    /// Size of a request. Unit: bytes.
    public var requestBytes = 8192
    /// Size of a received message. Unit: bytes.
    public var messageBytes = 64 * 1024
    /// Size of the messages that wait for one client. Unit: bytes.
    public var queueBytes = 4 * 1024 * 1024
    /// Size that the kernel buffers for a WebSocket, which are messages that cannot be replaced by newer ones. Unit:
    /// bytes.
    public var sendBufferBytes = 32 * 1024
    /// Time until a request is complete. Unit: s.
    public var requestSeconds = 5
    /// Time until a response is sent. Unit: s.
    public var responseSeconds = 30
    /// Time until a WebSocket is closed whose client does not even answer a ping. Unit: s.
    public var silenceSeconds = 30

    /// Creates the defaults.
    public init() {}
}
