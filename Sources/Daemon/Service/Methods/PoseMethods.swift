import Configuration
import Messages
import Model
import Engine
import Varlink
import WaymarkInterface

/// `org.waymark.Pose`: a single pose, or a stream of poses.
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

    func answer(_ request: PoseInterface.Call, _ call: Call) throws(VarlinkError) {
        switch request {
        case .getPose(let request): call.reply(json: PoseInterface.GetPose.Reply(pose: try pose(request)))
        case .subscribe(let request): try subscribe(request, call)
        }
    }

    private func pose(_ request: PoseInterface.GetPose) throws(VarlinkError) -> PoseInterface.Pose {
        if let time = request.time { return try pastPose(time, request) }
        guard request.clock == nil else { throw .invalidParameter("clock") }
        guard let pose = publisher.latest(aheadMilliseconds: try milliseconds(request.predictAhead)) else {
            throw .noPoseYet
        }
        return pose
    }

    private func pastPose(
        _ time: PoseInterface.Time, _ request: PoseInterface.GetPose
    ) throws(VarlinkError) -> PoseInterface.Pose {
        guard request.predictAhead == nil else { throw .invalidParameter("predictAhead") }
        let moment = try moments.time(time, request.clock)
        do throws(PastPoseProblem) {
            return publisher.message(try driver.engine.pose(at: moment))
        } catch {
            throw VarlinkError(error)
        }
    }

    /// Rounds a prediction time to whole milliseconds, so that many subscribers can share one.
    private func milliseconds(_ seconds: Double?) throws(VarlinkError) -> Int {
        let request = seconds ?? 0
        guard (0...PosePredictor.limit).contains(request) else { throw .invalidParameter("predictAhead") }
        return Int((request * 1000).rounded())
    }

    private func subscribe(_ request: PoseInterface.Subscribe, _ call: Call) throws(VarlinkError) {
        let rate = request.rate ?? min(settings.defaultRateHz, settings.maxRateHz)
        guard (1...settings.maxRateHz).contains(rate) else { throw .invalidParameter("rate") }
        let ahead = try milliseconds(request.predictAhead)
        let user = call.peer.user
        if let reached = publisher.reachedLimit(ofPredictions: ahead, user: user) {
            throw .limitExceeded(.predictions, reached.maximum)
        }
        guard let stream = call.stream(topics: PosePublisher.Topic.count) else { return }
        publisher.add(stream, rate: rate, aheadMilliseconds: ahead, takesFrames: request.frame ?? false, user: user)
    }
}
