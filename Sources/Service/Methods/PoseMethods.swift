import Configuration
import Estimation
import Model
import Varlink

/// `org.waymark.Pose`: one pose, or poses as they come.
final class PoseMethods {
    private let publisher: PosePublisher
    private let driver: EngineDriver
    private let moments: PastMoments
    var settings: Configuration.Pose

    init(publisher: PosePublisher, driver: EngineDriver, moments: PastMoments, settings: Configuration.Pose) {
        self.publisher = publisher
        self.driver = driver
        self.moments = moments
        self.settings = settings
    }

    func answer(_ call: Call) throws(VarlinkError) {
        switch call.method {
        case "GetPose": try getPose(call)
        case "Subscribe": try subscribe(call)
        default: throw .methodNotImplemented("\(call.interface).\(call.method)")
        }
    }

    private struct Request: Decodable {
        let predictAhead: Double?
        let time: TimeMessage?
        let clock: ClockMessage?
    }

    private func getPose(_ call: Call) throws(VarlinkError) {
        let request = try call.decode(Request.self)
        if let time = request.time { return try getPastPose(call, time, request) }
        guard request.clock == nil else { throw .invalidParameter("clock") }
        guard let reply = publisher.latestReply(aheadMilliseconds: try milliseconds(request.predictAhead)) else {
            throw .noPoseYet
        }
        call.reply(bytes: reply)
    }

    private func getPastPose(_ call: Call, _ time: TimeMessage, _ request: Request) throws(VarlinkError) {
        guard request.predictAhead == nil else { throw .invalidParameter("predictAhead") }
        let moment = try moments.time(time, request.clock)
        do throws(PastPoseProblem) {
            call.reply(bytes: publisher.reply(try driver.pose(at: moment)))
        } catch {
            throw VarlinkError(error)
        }
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

    /// Predictions differ by whole milliseconds, so that many subscribers can share one.
    private func milliseconds(_ seconds: Double?) throws(VarlinkError) -> Int {
        let request = seconds ?? 0
        guard (0...PosePredictor.limit).contains(request) else { throw .invalidParameter("predictAhead") }
        return Int((request * 1000).rounded())
    }

    private func subscribe(_ call: Call) throws(VarlinkError) {
        let request = try call.decode(Subscription.self)
        let rate = request.rate ?? min(settings.defaultRateHz, settings.maxRateHz)
        guard (1...settings.maxRateHz).contains(rate) else { throw .invalidParameter("rate") }
        let ahead = try milliseconds(request.predictAhead)
        guard publisher.canPredict(aheadMilliseconds: ahead) else {
            throw VarlinkError(
                name: "org.waymark.Status.LimitExceeded",
                encoding: Limit(limit: "predictions", maximum: PosePublisher.mostPredictions))
        }
        guard let stream = call.stream(topics: PosePublisher.Topic.count) else { return }
        publisher.add(stream, rate: rate, aheadMilliseconds: ahead, takesFrames: request.frame ?? false)
    }
}
