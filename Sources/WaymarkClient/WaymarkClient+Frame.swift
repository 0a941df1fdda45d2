import Varlink

extension WaymarkClient {
    private struct ExplainParameters: Encodable {
        let seconds: Double?
        let id: String?
    }

    private struct ExplainReply: Decodable { let corrections: [Correction] }

    /// Why content moved: the corrections of the scene frame, the oldest first.
    ///
    /// - Parameters:
    ///   - seconds: how far back, 1 to 600; nil leaves it to the daemon (60).
    ///   - id: of a placement or a place; then each correction says how far it moved that.
    public func explain(seconds: Double? = nil, id: String? = nil) throws(WaymarkError) -> [Correction] {
        try call("org.waymark.Scene.Explain", ExplainParameters(seconds: seconds, id: id), ExplainReply.self)
            .corrections
    }

    /// Corrections of the scene frame as they come; the last one comes at once.
    public func frames() throws(WaymarkError) -> FrameUpdates {
        FrameUpdates(try stream("org.waymark.Scene.SubscribeFrame", NoParameters()))
    }
}

/// The frame corrections of one subscription.
public final class FrameUpdates {
    private struct Message: Decodable { let frame: Frame }

    private let replies: VarlinkReplies

    init(_ replies: VarlinkReplies) { self.replies = replies }

    /// The next correction; nil if the daemon has ended the subscription.
    ///
    /// - Parameter timeout: how long to wait for it; nil waits for as long as it takes.
    public func next(timeout: Duration? = nil) throws(WaymarkError) -> Frame? {
        try replies.message(Message.self, timeout: timeout)?.frame
    }
}
