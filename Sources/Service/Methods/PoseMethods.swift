import Configuration
import Estimation
import Varlink

/// `org.waymark.Pose`: one pose, or poses as they come.
final class PoseMethods {
    private let publisher: PosePublisher
    var settings: Configuration.Pose

    init(publisher: PosePublisher, settings: Configuration.Pose) {
        self.publisher = publisher
        self.settings = settings
    }

    func answer(_ call: Call) throws(VarlinkError) {
        switch call.method {
        case "GetPose": try getPose(call)
        case "Subscribe": try subscribe(call)
        default: throw .methodNotImplemented("\(call.interface).\(call.method)")
        }
    }

    private struct Wish: Decodable {
        let predictAhead: Double?
    }

    private func getPose(_ call: Call) throws(VarlinkError) {
        let ahead = try milliseconds(try call.decode(Wish.self).predictAhead)
        guard let reply = publisher.latestReply(aheadMilliseconds: ahead) else {
            throw VarlinkError(
                name: "NotReady", ["reason": "no inertial sample has arrived yet; `waymark devices` tells why"])
        }
        call.reply(bytes: reply)
    }

    private struct Subscription: Decodable {
        let rate: Double?
        let frame: Bool?
        let predictAhead: Double?
    }

    private struct Limit: Encodable {
        let limit: String
        let maximum: Int
    }

    /// Predictions are told apart by whole milliseconds, so that many subscribers can share one.
    private func milliseconds(_ seconds: Double?) throws(VarlinkError) -> Int {
        let wish = seconds ?? 0
        guard (0...PosePredictor.limit).contains(wish) else { throw .invalidParameter("predictAhead") }
        return Int((wish * 1000).rounded())
    }

    private func subscribe(_ call: Call) throws(VarlinkError) {
        let wish = try call.decode(Subscription.self)
        let rate = wish.rate ?? min(settings.defaultRateHz, settings.maxRateHz)
        guard (1...settings.maxRateHz).contains(rate) else { throw .invalidParameter("rate") }
        let ahead = try milliseconds(wish.predictAhead)
        guard publisher.canPredict(aheadMilliseconds: ahead) else {
            throw VarlinkError(
                name: "org.waymark.Status.LimitExceeded",
                encoding: Limit(limit: "predictions", maximum: PosePublisher.mostPredictions))
        }
        guard let stream = call.stream(topics: PosePublisher.Topic.count) else { return }
        publisher.add(stream, rate: rate, aheadMilliseconds: ahead, takesFrames: wish.frame ?? false)
    }
}
