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

    private struct EstimateParameters: Encodable {
        let time: Time
        let clock: Clock
        let geo: Position
        let horizontalAccuracy: Double
        let offset: Vector?

        struct Position: Encodable {
            let latitude: Double
            let longitude: Double
            let height: Double?
        }
    }

    private struct EstimateReply: Decodable { let estimate: Estimate }

    /// Compares a position that this program has found by itself with the pose of that moment. Corrects nothing.
    ///
    /// - Parameters:
    ///   - time: of the position, by `clock`; of the last ten minutes.
    ///   - latitude: degrees, as is `longitude`.
    ///   - height: above the ellipsoid, metres; nil is not known.
    ///   - horizontalAccuracy: radius of 68 %, metres.
    ///   - offset: of the position's subject from the board, in the body's axes, metres; nil is the board itself.
    public func estimate(
        at time: Time, clock: Clock = .boottime, latitude: Double, longitude: Double, height: Double? = nil,
        horizontalAccuracy: Double, offset: Vector? = nil
    ) throws(WaymarkError) -> Estimate {
        let parameters = EstimateParameters(
            time: time, clock: clock, geo: .init(latitude: latitude, longitude: longitude, height: height),
            horizontalAccuracy: horizontalAccuracy, offset: offset)
        return try call("org.waymark.Scene.EstimateAt", parameters, EstimateReply.self).estimate
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
