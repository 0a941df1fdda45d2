import Configuration
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

    private func getPose(_ call: Call) throws(VarlinkError) {
        guard let reply = publisher.latestReply() else {
            throw VarlinkError(
                name: "NotReady", ["reason": "no inertial sample has arrived yet; `waymark devices` tells why"])
        }
        call.reply(bytes: reply)
    }

    private struct Subscription: Decodable {
        let rate: Double?
        let frame: Bool?
    }

    private func subscribe(_ call: Call) throws(VarlinkError) {
        let wish = try call.decode(Subscription.self)
        let rate = wish.rate ?? min(settings.defaultRateHz, settings.maxRateHz)
        guard (1...settings.maxRateHz).contains(rate) else { throw .invalidParameter("rate") }
        guard let stream = call.stream(topics: PosePublisher.Topic.count) else { return }
        publisher.add(stream, rate: rate, takesFrames: wish.frame ?? false)
    }
}
