import Calibration
import Documents
import JSON
import Linux
import Messages
import Persistence
import Varlink
import WaymarkInterface

/// `org.waymark.Calibration`: calibrates, lists, imports and deletes.
struct CalibrationMethods {
    let service: CalibrationService

    private var transfer: CalibrationTransfer { CalibrationTransfer(service: service) }

    func answer(_ request: CalibrationInterface.Call, _ call: Call) throws(VarlinkError) {
        do throws(CalibrationInterface.Failure) {
            switch request {
            case .start(let request): try start(request, call)
            case .finish:
                guard service.finish() else { throw .notCalibrating }
                call.reply()
            case .list:
                call.reply(json: CalibrationInterface.List.Reply(calibrations: CalibrationList.entries(of: service)))
            case .reset(let request): try reset(request, call)
            case .export: export(call)
            case .import(let request): importDocument(request, call)
            }
        } catch {
            throw VarlinkError(error)
        }
    }

    // MARK: live

    private func start(
        _ request: CalibrationInterface.Start, _ call: Call
    ) throws(CalibrationInterface.Failure) {
        let replies = CalibrationReplies()
        let live = try service.start(
            CalibrationKind(request.kind), .init(isForced: request.force ?? false, isStored: request.store ?? true),
            client: replies)
        guard let stream = call.stream() else { return service.cancel(live) }
        replies.stream = stream
        stream.onEnd = { [weak service, weak live] in
            if let live { service?.cancel(live) }
        }
    }

    // MARK: stored calibrations

    private func export(_ call: Call) {
        let document = CalibrationDocument(service.repository.kept)
        call.reply(
            json: CalibrationInterface.Export.Reply(document: String(decoding: document.bytes, as: UTF8.self)))
    }

    private func reset(
        _ request: CalibrationInterface.Reset, _ call: Call
    ) throws(CalibrationInterface.Failure) {
        var sensors = CalibratedSensor.allCases
        if let word = request.sensor {
            guard let sensor = CalibratedSensor(word: word) else { throw .noSuchSensor(sensor: word) }
            sensors = [sensor]
        }
        transfer.reset(sensors) { result in
            call.reply(result, VarlinkError.init) { names in
                let list = names.isEmpty ? "no stored calibration" : names.joined(separator: ", ")
                Log.notice("calibration: reset by client \(call.peer.process): \(list)")
                return CalibrationInterface.Reset.Reply(reset: names)
            }
        }
    }

    private func importDocument(_ request: CalibrationInterface.Import, _ call: Call) {
        transfer.take(Array(request.document.utf8), isForced: request.force ?? false) { result in
            call.reply(result, VarlinkError.init) { names in
                let list = names.isEmpty ? "empty document" : names.joined(separator: ", ")
                Log.notice("calibration: imported by client \(call.peer.process): \(list)")
                return CalibrationInterface.Import.Reply(imported: names)
            }
        }
    }
}

/// Sends the replies to one call of `Start`.
final class CalibrationReplies {
    /// Stream of the replies; nil before it is open, and after the caller has disconnected.
    weak var stream: ReplyStream?
    private var json = JSONWriter(capacity: 1024)

    /// Called up to ten times a second.
    func calibrationProgressed(_ progress: CalibrationProgress) {
        guard let stream else { return }
        let reply = CalibrationInterface.Start.Reply(progress: progress.message)
        stream.offer(EncodedMessage(json: reply, with: &json))
    }

    /// Called once, at the end.
    func calibrationEnded(_ outcome: CalibrationService.Outcome) {
        guard let stream else { return }
        switch outcome {
        case .result(let result, let isStored):
            json.removeAll()
            CalibrationInterface.Start.Reply(result: result.message(stored: isStored)).write(into: &json)
            stream.finish(bytes: json.bytes)
        case .failure(let failure): stream.fail(VarlinkError(failure))
        }
    }
}

extension CalibrationInterface.Failure {
    init(_ problem: CalibrationRepository.Problem) { self = .cannotStore(path: problem.path, reason: problem.reason) }
}
