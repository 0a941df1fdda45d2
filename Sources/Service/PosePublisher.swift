import Estimation
import Formats
import Measurements
import Varlink

/// Sends poses and frame corrections to those who subscribed; each message is encoded once for all of them.
final class PosePublisher {
    private final class Subscriber {
        let stream: ReplyStream
        var divider: RateDivider
        let takesFrames: Bool

        init(_ stream: ReplyStream, rate: Double, takesFrames: Bool) {
            self.stream = stream
            divider = RateDivider(rate: rate)
            self.takesFrames = takesFrames
        }
    }

    /// Topics of a subscriber's stream: each keeps its own newest message.
    enum Topic {
        static let pose = 0
        static let frame = 1
        static let count = 2
    }

    private var subscribers: [Subscriber] = []
    /// Of the newest pose and frame: how many there were since the start.
    private(set) var poseSequence: UInt64 = 0
    private(set) var frameSequence: UInt64 = 0
    private var latestPose: PoseEstimate?
    private var latestFrame: (frame: FrameEstimate, time: BootTime)?
    private var json = JSONWriter()
    private var universalTime = UniversalTime()

    /// Poses go to `stream` from now on until it ends, at most `rate` a second.
    func add(_ stream: ReplyStream, rate: Double, takesFrames: Bool) {
        let subscriber = Subscriber(stream, rate: rate, takesFrames: takesFrames)
        stream.onEnd = { [weak self, unowned subscriber] in
            self?.subscribers.removeAll { $0 === subscriber }
        }
        subscribers.append(subscriber)
        if takesFrames, let message = frameMessage() { stream.offer(message, topic: Topic.frame) }
    }

    /// To be called with each pose; encodes it only if somebody takes it.
    func publish(_ pose: PoseEstimate) {
        latestPose = pose
        poseSequence += 1
        var message: EncodedMessage?
        for subscriber in subscribers where subscriber.divider.takes(pose.time) {
            let shared = message ?? poseMessage(pose)
            message = shared
            subscriber.stream.offer(shared, topic: Topic.pose)
        }
    }

    func publish(_ frame: FrameEstimate, at time: BootTime) {
        latestFrame = (frame, time)
        frameSequence += 1
        guard subscribers.contains(where: \.takesFrames), let message = frameMessage() else { return }
        for subscriber in subscribers where subscriber.takesFrames {
            subscriber.stream.offer(message, topic: Topic.frame)
        }
    }

    /// Learns UTC from a fix that knows it.
    func learnUTC(_ fix: GNSSFix) { universalTime.learn(from: fix) }

    /// The newest pose as the reply to GetPose; nil before the first.
    func latestReply() -> [UInt8]? {
        guard let pose = latestPose else { return nil }
        _ = encode(pose)
        return Array(json.bytes)
    }

    private func poseMessage(_ pose: PoseEstimate) -> EncodedMessage {
        let offset = encode(pose)
        return EncodedMessage(parameters: json.bytes, missedOffset: offset)
    }

    private func encode(_ pose: PoseEstimate) -> Int {
        json.removeAll()
        json.beginObject()
        json.key("pose")
        let offset = PoseMessage.write(pose, sequence: poseSequence, utcOffset: universalTime.offset, into: &json)
        json.endObject()
        return offset
    }

    private func frameMessage() -> EncodedMessage? {
        guard let (frame, time) = latestFrame else { return nil }
        json.removeAll()
        json.beginObject()
        json.key("frame")
        let offset = FrameMessage.write(frame, sequence: frameSequence, time: time, into: &json)
        json.endObject()
        return EncodedMessage(parameters: json.bytes, missedOffset: offset)
    }
}
