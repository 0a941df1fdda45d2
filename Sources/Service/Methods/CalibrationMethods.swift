import Calibration
import Documents
import JSON
import Linux
import Messages
import Persistence
import Varlink

/// `org.waymark.Calibration`: calibrates, lists, imports and deletes; changes for callers with the permission.
final class CalibrationMethods {
    private let service: CalibrationService
    private let transfer: CalibrationTransfer
    var authorization: Authorization

    private struct StartRequest: Decodable {
        let kind: String
        let force: Bool?
        let store: Bool?
    }

    private struct ResetRequest: Decodable {
        let sensor: String?
    }

    private struct ImportRequest: Decodable {
        let document: String
        let force: Bool?
    }

    init(service: CalibrationService, authorization: Authorization) {
        self.service = service
        self.authorization = authorization
        transfer = CalibrationTransfer(service)
    }

    func answer(_ call: Call) throws(VarlinkError) {
        switch call.method {
        case "List": call.reply(bytes: CalibrationList.bytes(of: service))
        case "Export": export(call)
        case "Start", "Finish", "Reset", "Import":
            guard authorization.permitsChange(by: call.peer) else { throw .permissionDenied }
            try change(call)
        default: throw .methodNotImplemented("\(call.interface).\(call.method)")
        }
    }

    private func change(_ call: Call) throws(VarlinkError) {
        switch call.method {
        case "Start": try start(call)
        case "Finish":
            guard service.finish() else { throw VarlinkError(name: "NotCalibrating") }
            call.reply()
        case "Reset": try reset(call)
        default: try importDocument(call)
        }
    }

    // MARK: live

    private func start(_ call: Call) throws(VarlinkError) {
        let request = try call.decode(StartRequest.self)
        guard let kind = CalibrationKind(rawValue: request.kind) else { throw .invalidParameter("kind") }
        guard call.wantsMore else { throw .expectedMore }
        let replies = CalibrationReplies()
        let live: LiveCalibration
        do throws(CalibrationService.Refusal) {
            live = try service.start(
                kind, .init(isForced: request.force ?? false, isStored: request.store ?? true),
                progress: { replies.tell($0) }, end: { replies.end($0) })
        } catch {
            throw VarlinkError(error)
        }
        guard let stream = call.stream() else { return service.cancel(live) }
        replies.stream = stream
        stream.onEnd = { [weak service, weak live] in
            if let live { service?.cancel(live) }
        }
    }

    // MARK: what is kept

    private func export(_ call: Call) {
        let document = CalibrationDocument(service.shelf.kept)
        call.reply(["document": String(decoding: document.bytes, as: UTF8.self)])
    }

    private func reset(_ call: Call) throws(VarlinkError) {
        let request = try call.decode(ResetRequest.self)
        var sensors = CalibratedSensor.allCases
        if let word = request.sensor {
            guard let sensor = CalibratedSensor(word: word) else {
                throw VarlinkError(name: "NoSuchSensor", ["sensor": word])
            }
            sensors = [sensor]
        }
        transfer.reset(sensors) { result in
            switch result {
            case .success(let names):
                let list = names.isEmpty ? "no stored calibration" : names.joined(separator: ", ")
                Log.notice("calibration: reset by client \(call.peer.process): \(list)")
                call.reply(["reset": names])
            case .failure(let problem): call.fail(VarlinkError(problem))
            }
        }
    }

    private func importDocument(_ call: Call) throws(VarlinkError) {
        let request = try call.decode(ImportRequest.self)
        transfer.take(Array(request.document.utf8), isForced: request.force ?? false) { result in
            switch result {
            case .success(let names):
                let list = names.isEmpty ? "empty document" : names.joined(separator: ", ")
                Log.notice("calibration: imported by client \(call.peer.process): \(list)")
                call.reply(["imported": names])
            case .failure(.invalid(let problem)):
                call.fail(VarlinkError(name: "InvalidDocument", ["path": problem.path, "reason": problem.message]))
            case .failure(.worse(let sensor, let reason)):
                call.fail(VarlinkError(name: "WorseThanPresent", ["sensor": sensor.rawValue, "reason": reason]))
            case .failure(.notStored(let problem)): call.fail(VarlinkError(problem))
            }
        }
    }
}

/// The replies of one call of `Start`.
private final class CalibrationReplies {
    /// Nil before it is open, and when the caller has gone.
    weak var stream: ReplyStream?
    private var json = JSONWriter(capacity: 1024)

    func tell(_ progress: CalibrationProgress) {
        guard let stream else { return }
        json.removeAll()
        json.beginObject()
        json.key("progress")
        CalibrationMessage.write(progress, into: &json)
        json.endObject()
        stream.offer(EncodedMessage(parameters: json.bytes))
    }

    func end(_ outcome: CalibrationService.Outcome) {
        guard let stream else { return }
        switch outcome {
        case .result(let result, let isStored):
            json.removeAll()
            json.beginObject()
            json.key("result")
            CalibrationMessage.write(result, stored: isStored, into: &json)
            json.endObject()
            stream.finish(bytes: json.bytes)
        case .missing(let kind, let detail):
            stream.fail(VarlinkError(.sensorMissing(kind, detail)).named(in: "org.waymark.Calibration"))
        case .notStored(let problem): stream.fail(VarlinkError(problem).named(in: "org.waymark.Calibration"))
        }
    }
}

extension VarlinkError {
    /// Error that the interface names for the refusal.
    fileprivate init(_ refusal: CalibrationService.Refusal) {
        switch refusal {
        case .alreadyCalibrating(let kind): self.init(name: "AlreadyCalibrating", ["kind": kind.rawValue])
        case .sensorMissing(let kind, let detail):
            self.init(name: "SensorMissing", ["kind": kind.rawValue, "detail": detail])
        }
    }

    fileprivate init(_ problem: CalibrationRepository.Problem) {
        self.init(name: "CannotStore", ["path": problem.path, "reason": problem.reason])
    }

    /// Streams want the whole name.
    fileprivate func named(in interface: String) -> VarlinkError {
        VarlinkError(name: "\(interface).\(name)", parameters: parameters)
    }
}
