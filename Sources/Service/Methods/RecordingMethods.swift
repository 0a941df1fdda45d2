import Linux
import Varlink

/// `org.waymark.Recording`: begins and ends a recording, for those who may change things.
final class RecordingMethods {
    private let control: RecordingControl
    var authorization: Authorization

    private struct Request: Decodable {
        let path: String
        let descriptor: Int?
    }

    init(control: RecordingControl, authorization: Authorization) {
        self.control = control
        self.authorization = authorization
    }

    func answer(_ call: Call) throws(VarlinkError) {
        guard authorization.permitsChange(by: call.peer) else { throw .permissionDenied }
        do throws(RecordingRefusal) {
            switch call.method {
            case "Start": try start(call)
            case "Stop": try control.stop { Self.tell($0, to: call) }
            default: call.fail(.methodNotImplemented("\(call.interface).\(call.method)"))
            }
        } catch {
            throw VarlinkError(error)
        }
    }

    private static func tell(_ outcome: RecordingControl.Outcome, to call: Call) {
        guard let failure = outcome.failure else { return call.reply(RecordingMessage(outcome)) }
        call.fail(VarlinkError(.impossible(path: outcome.path, failure)))
    }

    private func start(_ call: Call) throws(RecordingRefusal) {
        let request: Request
        do throws(VarlinkError) {
            request = try call.decode(Request.self)
        } catch {
            return call.fail(error)
        }
        var file: OwnedDescriptor?
        if let index = request.descriptor {
            guard call.descriptors.indices.contains(index) else { return call.fail(.invalidParameter("descriptor")) }
            file = call.descriptors[index]
        }
        try control.start(name: request.path, file: file) { result in
            switch result {
            case .success(let path): call.reply(["path": path])
            case .failure(let refusal): call.fail(VarlinkError(refusal))
            }
        }
    }
}

extension RecordingMessage {
    fileprivate init(_ outcome: RecordingControl.Outcome) {
        path = outcome.path
        messages = outcome.counts.messages
        bytes = outcome.counts.bytes
        dropped = outcome.counts.dropped
    }
}

extension VarlinkError {
    /// Error that the interface names for the refusal.
    fileprivate init(_ refusal: RecordingRefusal) {
        switch refusal {
        case .alreadyRecording(let path): self.init(name: "AlreadyRecording", ["path": path])
        case .notRecording: self.init(name: "NotRecording")
        case .impossible(let path, let reason): self.init(name: "CannotRecord", ["path": path, "reason": reason])
        }
    }
}
