/// Resource limits for clients. One user of this computer, or all other computers together, can take at most three
/// quarters of the connections and WebSockets. An eighth is reserved for root and the server's own user.
package struct WebLimits: Hashable, Sendable {
    /// Maximum number of connections, including WebSockets.
    package var connections = 64
    /// Maximum number of WebSockets. It is less than `connections`, so that pages can still be served.
    package var sockets = 32
    /// Maximum size of a request. Unit: bytes.
    package var requestBytes = 8192
    /// Maximum size of a received message. Unit: bytes.
    package var messageBytes = 64 * 1024
    /// Maximum size of the messages that wait for one client. Unit: bytes.
    package var queueBytes = 4 * 1024 * 1024
    /// Size of the kernel's send buffer for a WebSocket. It is small, because newer messages cannot replace buffered
    /// ones. Unit: bytes.
    package var sendBufferBytes = 32 * 1024
    /// Time limit for receiving a complete request. Unit: s.
    package var requestSeconds = 5
    /// Time limit for sending a response. Unit: s.
    package var responseSeconds = 30
    /// Time after which a WebSocket is closed if its client sends nothing, not even the answer to a ping. Unit: s.
    package var silenceSeconds = 30

    package init() {}
}
