import Linux
import Varlink
import WaymarkInterface

/// `org.waymark.Recording`: starts and ends a recording.
struct RecordingMethods {
    let control: RecordingControl

    func answer(_ request: RecordingInterface.Call, _ call: Call) throws(VarlinkError) {
        do throws(RecordingInterface.Failure) {
            switch request {
            case .start(let request): try start(request, call)
            case .stop: try control.stop { Self.reply($0, to: call) }
            }
        } catch {
            throw VarlinkError(error)
        }
    }

    /// Range of the recorded pose rate. Unit: hertz.
    private static let poseRates = 0.001...1000.0

    private static func reply(_ outcome: RecordingControl.Outcome, to call: Call) {
        if let failure = outcome.failure {
            return call.fail(VarlinkError(RecordingInterface.Failure(path: outcome.path, failure)))
        }
        call.reply(
            json: RecordingInterface.Stop.Reply(
                path: outcome.path, messages: Int(clamping: outcome.counts.messages),
                bytes: Int(clamping: outcome.counts.bytes), dropped: Int(clamping: outcome.counts.dropped)))
    }

    private func start(
        _ request: RecordingInterface.Start, _ call: Call
    ) throws(RecordingInterface.Failure) {
        if let rate = request.poseRate, rate != 0, !Self.poseRates.contains(rate) {
            return call.fail(.invalidParameter("poseRate"))
        }
        let file: OwnedDescriptor?
        do throws(VarlinkError) {
            file = try request.descriptor.map { index throws(VarlinkError) in try call.descriptor(index) }
        } catch {
            return call.fail(error)
        }
        try control.start(name: request.path, file: file, user: call.peer.user, poseRate: request.poseRate) { result in
            call.reply(result, VarlinkError.init) { RecordingInterface.Start.Reply(path: $0) }
        }
    }
}
