import Varlink

/// The poses of one subscription, and the frame corrections if they were asked for.
public final class PoseUpdates {
    /// One message of the subscription.
    public enum Update: Equatable, Sendable {
        case pose(Pose)
        case frame(Frame)
    }

    private struct Message: Decodable {
        let pose: Pose?
        let frame: Frame?
    }

    private let replies: VarlinkReplies

    init(_ replies: VarlinkReplies) { self.replies = replies }

    /// The next message; nil if the daemon has ended the subscription.
    ///
    /// - Parameter timeout: how long to wait for it; nil waits for as long as it takes.
    public func next(timeout: Duration? = nil) throws(WaymarkError) -> Update? {
        while true {
            guard let message = try replies.message(Message.self, timeout: timeout) else { return nil }
            if let pose = message.pose { return .pose(pose) }
            if let frame = message.frame { return .frame(frame) }
        }
    }

    /// The next pose, frame corrections left out; nil if the daemon has ended the subscription.
    public func nextPose(timeout: Duration? = nil) throws(WaymarkError) -> Pose? {
        while let update = try next(timeout: timeout) {
            if case .pose(let pose) = update { return pose }
        }
        return nil
    }
}

struct ItemsReply: Decodable { let items: [Item] }

/// What lies ahead, as it changes.
public final class ItemUpdates {
    private let replies: VarlinkReplies

    init(_ replies: VarlinkReplies) { self.replies = replies }

    /// The next list; nil if the daemon has ended the subscription.
    ///
    /// - Parameter timeout: how long to wait for it; nil waits for as long as it takes.
    public func next(timeout: Duration? = nil) throws(WaymarkError) -> [Item]? {
        try replies.message(ItemsReply.self, timeout: timeout)?.items
    }
}

extension VarlinkReplies {
    /// The next message of a stream, errors told as this library tells them; nil at its end.
    func message<Message: Decodable>(
        _ type: Message.Type, timeout: Duration? = nil
    ) throws(WaymarkError) -> Message? {
        try WaymarkClient.translating { () throws(VarlinkClient.Failure) in try next(type, timeout: timeout) }
    }
}
