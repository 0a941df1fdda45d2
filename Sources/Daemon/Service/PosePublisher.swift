import JSON
import Linux
import Messages
import Model
import Engine
import Varlink
import WaymarkInterface

/// Sends poses and frame corrections to their subscribers. Each message is encoded once for all subscribers with the
/// same prediction time.
final class PosePublisher {
    private final class Subscriber {
        let stream: ReplyStream
        let rate: Double
        var divider: RateDivider
        let aheadMilliseconds: Int
        let takesFrames: Bool
        let user: UInt32

        init(_ stream: ReplyStream, rate: Double, aheadMilliseconds: Int, takesFrames: Bool, user: UInt32) {
            self.stream = stream
            self.user = user
            self.rate = rate
            divider = RateDivider(rate: rate)
            self.aheadMilliseconds = aheadMilliseconds
            self.takesFrames = takesFrames
        }

        func countsLostSlot(before time: BootTime) {
            if divider.leavesOpenSlot(time) { stream.skip(topic: Topic.pose) }
        }
    }

    /// Topics of a subscriber's stream, which keeps the newest message of each topic.
    enum Topic {
        static let pose = 0
        static let frame = 1
        static let count = 2
    }

    /// Highest rate of a subscriber; 0 without subscribers. Unit: Hz.
    var highestRate: Double { subscribers.lazy.map(\.rate).max() ?? 0 }

    /// Maximum number of different prediction times. A pose is encoded separately for each.
    private static let predictions = ShareLimit(all: 16, ofUser: 8, reserve: 2)

    private var subscribers: [Subscriber] = []
    /// Streams of subscribers that take frames but no poses.
    private var frameStreams: [ReplyStream] = []
    private var predictor = PosePredictor()
    /// The newest message for each prediction time, with the sequence number of its pose.
    private var encoded: [(aheadMilliseconds: Int, sequence: UInt64, message: EncodedMessage)] = []
    /// Sequence number of the newest pose, which is the number of poses since the start. `frameSequence` is the same
    /// for frames.
    private(set) var poseSequence: UInt64 = 0
    private(set) var frameSequence: UInt64 = 0
    private(set) var latestFrame: (frame: FrameEstimate, time: BootTime)?
    private var json = JSONWriter()
    private var universalTime = UniversalTime()

    /// Returns the limit that one more subscriber with this prediction time would exceed, if any.
    func reachedLimit(ofPredictions aheadMilliseconds: Int, user: UInt32) -> ShareLimit.Reached? {
        guard aheadMilliseconds != 0 else { return nil }
        let used = subscribers.lazy.filter { $0.aheadMilliseconds != 0 }
        return Self.predictions.reached(
            by: user, aheadMilliseconds, used: used.map { (user: $0.user, value: $0.aheadMilliseconds) })
    }

    /// Sends poses to a user's `stream` until it ends, at most `rate` per second, each predicted `aheadMilliseconds`
    /// ahead.
    func add(_ stream: ReplyStream, rate: Double, aheadMilliseconds: Int, takesFrames: Bool, user: UInt32) {
        let subscriber = Subscriber(
            stream, rate: rate, aheadMilliseconds: aheadMilliseconds, takesFrames: takesFrames, user: user)
        stream.onEnd = { [weak self, unowned subscriber] in
            self?.subscribers.removeAll { $0 === subscriber }
            self?.encoded.removeAll()
        }
        subscribers.append(subscriber)
        if takesFrames, let message = frameMessage() { stream.offer(message, topic: Topic.frame) }
    }

    /// Sends frame corrections to `stream` until it ends, beginning with the newest.
    func addFrames(_ stream: ReplyStream) {
        stream.onEnd = { [weak self, unowned stream] in
            self?.frameStreams.removeAll { $0 === stream }
        }
        frameStreams.append(stream)
        if let message = frameMessage() { stream.offer(message) }
    }

    /// Takes the next pose. A call of `publish` or `skip` follows.
    func take(_ pose: PoseEstimate) {
        predictor.add(pose)
        poseSequence += 1
    }

    /// Publishes the newest pose, which is encoded only if a subscriber takes it.
    ///
    /// - Parameter time: time of the pose.
    func publish(_ time: BootTime) {
        for subscriber in subscribers {
            subscriber.countsLostSlot(before: time)
            guard subscriber.divider.takes(time) else { continue }
            guard let message = message(aheadMilliseconds: subscriber.aheadMilliseconds) else { continue }
            subscriber.stream.offer(message, topic: Topic.pose)
        }
    }

    /// Passes over the newest pose, which is outdated. If a subscriber gets no other pose in the same interval of its
    /// rate, a pose is counted as missed.
    ///
    /// - Parameter time: time of the pose.
    func skip(_ time: BootTime) {
        for subscriber in subscribers {
            subscriber.countsLostSlot(before: time)
            subscriber.divider.passesOver(time)
        }
    }

    func publish(_ frame: FrameEstimate, at time: BootTime) {
        latestFrame = (frame, time)
        frameSequence += 1
        let isWanted = !frameStreams.isEmpty || subscribers.contains(where: \.takesFrames)
        guard isWanted, let message = frameMessage() else { return }
        for stream in frameStreams { stream.offer(message) }
        for subscriber in subscribers where subscriber.takesFrames {
            subscriber.stream.offer(message, topic: Topic.frame)
        }
    }

    /// Nanoseconds to add to boot time to get UTC; nil until a fix with a time has arrived.
    var utcOffset: Int64? { universalTime.offset }

    func learnUTC(_ fix: GNSSFix) { universalTime.learn(from: fix) }

    /// Takes an offset that was learned elsewhere; nil for none. Unit: nanoseconds.
    func learnUTC(offset: Int64?) {
        if offset != nil { universalTime = UniversalTime(offset: offset) }
    }

    /// Terms for a prediction from the newest pose; nil before the first pose.
    var predictionTerms: PredictionTerms? { predictor.terms }

    /// Newest pose as the pose ring takes it; nil before the first pose.
    var newest: PoseRingWriter.Entry? {
        predictor.predict(ahead: 0).map { ($0.pose, utcOffset, predictionTerms) }
    }

    /// Returns the newest pose, predicted `aheadMilliseconds` ahead. Returns nil before the first pose, and if the
    /// predicted pose is not finite.
    func latest(aheadMilliseconds: Int) -> PoseInterface.Pose? {
        predictor.predict(ahead: Double(aheadMilliseconds) / 1000).flatMap { predicted in
            let pose = predicted.pose
            return pose.isFinite ? pose.message(sequence: poseSequence, utcOffset: utcOffset) : nil
        }
    }

    func message(_ past: PastPose) -> PoseInterface.Pose {
        past.pose.message(sequence: past.sequence, utcOffset: utcOffset)
    }

    /// Returns the message with the newest pose, predicted `aheadMilliseconds` ahead. It is encoded only once, in the
    /// memory of the message before it unless a stream still holds that.
    private func message(aheadMilliseconds: Int) -> EncodedMessage? {
        let place = encoded.firstIndex { $0.aheadMilliseconds == aheadMilliseconds }
        if let place, encoded[place].sequence == poseSequence { return encoded[place].message }
        guard let pose = latest(aheadMilliseconds: aheadMilliseconds) else { return nil }
        let reply = PoseInterface.Subscribe.Reply(pose: pose)
        if let place, isKnownUniquelyReferenced(&encoded[place].message) {
            encoded[place].sequence = poseSequence
            encoded[place].message.replace(json: reply, with: &json, countsMissed: true)
            return encoded[place].message
        }
        let message = EncodedMessage(json: reply, with: &json, countsMissed: true)
        if let place {
            encoded[place] = (aheadMilliseconds, poseSequence, message)
        } else {
            encoded.append((aheadMilliseconds, poseSequence, message))
        }
        return message
    }

    /// Returns the newest frame, for the calls Subscribe and SubscribeFrame, which reply with the same message.
    private func frameMessage() -> EncodedMessage? {
        guard let (frame, time) = latestFrame else { return nil }
        let message = frame.message(sequence: frameSequence, time: time)
        return EncodedMessage(json: PoseInterface.Subscribe.Reply(frame: message), with: &json, countsMissed: true)
    }
}
