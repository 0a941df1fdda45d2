import Documents
import Linux
import PlaceStore
import Varlink

/// ImportPlaces and ExportPlaces of `org.waymark.Scene`.
final class PlaceTransferMethods {
    private let desk: PlaceRepository
    private let transfers: PlaceTransfers
    private let reactor: Reactor
    /// Whether an import waits for the store before it begins.
    private var importComes = false
    private var exportComes = false

    /// Maximum length of the name of a source. Unit: UTF-8 bytes.
    private static let longestSource = 200
    /// Source of documents that come without a name.
    private static let defaultSource = "import"

    init(_ reactor: Reactor, desk: PlaceRepository, transfers: PlaceTransfers) {
        self.reactor = reactor
        self.desk = desk
        self.transfers = transfers
    }

    // MARK: import

    private struct ImportRequest: Decodable {
        let descriptor: Int?
        let document: String?
        let source: String?
        let replace: Bool?
    }

    /// Imports places for a caller with the permission.
    func importPlaces(_ call: Call) throws(VarlinkError) {
        let request = try call.decode(ImportRequest.self)
        let source = request.source ?? Self.defaultSource
        guard (1...Self.longestSource).contains(source.utf8.count) else { throw .invalidParameter("source") }
        let document: PlaceTransfers.Document
        switch (request.descriptor, request.document) {
        case (let index?, nil): document = .file(try Self.descriptor(index, of: call))
        case (nil, let text?): document = .text(Array(text.utf8))
        case (nil, nil): throw .invalidParameter("document")
        case (_?, _?): throw .invalidParameter("descriptor")
        }
        guard !importComes, !transfers.isImporting else { throw .limitExceeded("imports", 1) }
        importComes = true
        whenReady(call) { [weak self] isReady in
            guard let self else { return }
            importComes = false
            if isReady { startImport(call, document, source: source, replace: request.replace ?? false) }
        }
    }

    private func startImport(_ call: Call, _ document: PlaceTransfers.Document, source: String, replace: Bool) {
        let answer: ImportAnswer
        if call.wantsMore {
            guard let stream = call.stream() else { return }
            stream.onEnd = { [weak transfers] in transfers?.cancelImport() }
            answer = ImportAnswer(
                progress: { message in EncodedMessage(encoding: message).map { stream.offer($0) } },
                end: { message in stream.finish(bytes: message) }, fail: { stream.fail($0) })
        } else {
            let watch = watch(call) { $0.cancelImport() }
            answer = ImportAnswer(
                progress: { _ in },
                end: { [reactor] message in
                    reactor.cancel(watch)
                    call.reply(bytes: message)
                },
                fail: { [reactor] error in
                    reactor.cancel(watch)
                    call.fail(error)
                })
        }
        do throws(SystemError) {
            try transfers.startImport(of: document, source: source, replace: replace) { progress in
                answer.progress(ImportMessage(progress))
            } onEnd: { outcome in
                Self.end(outcome, source: source, answer)
            }
        } catch {
            answer.fail(VarlinkError(desk: error))
        }
    }

    /// Answer to a caller that wants one reply or many.
    private struct ImportAnswer {
        let progress: (ImportMessage) -> Void
        let end: ([UInt8]) -> Void
        let fail: (VarlinkError) -> Void
    }

    private static func end(_ outcome: PlaceTransfers.ImportOutcome, source: String, _ answer: ImportAnswer) {
        switch outcome {
        case .success(let progress):
            let counts = progress.counts
            Log.notice(
                "places from \(source): \(counts.taken) imported, \(counts.added) of them new, \(counts.removed) "
                    + "removed, \(counts.flawed) invalid")
            answer.end(EncodedMessage.parameters(ImportMessage(progress)))
        case .failure(let failure):
            Log.notice("the import of places from \(source) ended early; places imported so far are kept: \(failure)")
            answer.fail(VarlinkError(failure))
        }
    }

    // MARK: export

    private struct ExportRequest: Decodable {
        let descriptor: Int
        let format: PlaceDocumentWriter.Form?

        enum CodingKeys: CodingKey { case descriptor, format }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            descriptor = try container.decode(Int.self, forKey: .descriptor)
            let word = try container.decodeIfPresent(String.self, forKey: .format)
            format = word.flatMap(PlaceDocumentWriter.Form.init)
            guard word == nil || format != nil else {
                throw DecodingError.dataCorruptedError(
                    forKey: .format, in: container, debugDescription: "unknown format")
            }
        }
    }

    func export(_ call: Call) throws(VarlinkError) {
        let request = try call.decode(ExportRequest.self)
        let descriptor = try Self.descriptor(request.descriptor, of: call)
        guard !exportComes, !transfers.isExporting else { throw .limitExceeded("exports", 1) }
        exportComes = true
        whenReady(call) { [weak self] isReady in
            guard let self else { return }
            exportComes = false
            if isReady { startExport(call, descriptor, request.format ?? .collection) }
        }
    }

    private func startExport(_ call: Call, _ descriptor: OwnedDescriptor, _ form: PlaceDocumentWriter.Form) {
        let watch = watch(call) { $0.cancelExport() }
        do throws(SystemError) {
            try transfers.startExport(to: descriptor, form: form) { _ in
            } onEnd: { [reactor] outcome in
                reactor.cancel(watch)
                switch outcome {
                case .success(let count): call.reply(["count": count])
                case .failure(let failure): call.fail(VarlinkError(failure))
                }
            }
        } catch {
            reactor.cancel(watch)
            call.fail(VarlinkError(desk: error))
        }
    }

    // MARK: both

    /// Interval of checks whether the caller is still there. Unit: nanoseconds.
    private static let lookInterval: Int64 = 500_000_000

    /// Gives work up whose caller, waiting for the only reply, has left.
    private func watch(_ call: Call, cancel: @escaping (PlaceTransfers) -> Void) -> TimerIdentifier {
        reactor.every(Self.lookInterval) { [weak transfers] in
            if let transfers, !call.hasClient { cancel(transfers) }
        }
    }

    /// Goes on once the store has been opened; a caller that is refused gets the error.
    private func whenReady(_ call: Call, then: @escaping (Bool) -> Void) {
        desk.perform { _ in
        } then: { result in
            if case .failure(let error) = result { call.fail(VarlinkError(desk: error)) }
            then((try? result.get()) != nil)
        }
    }

    private static func descriptor(_ index: Int, of call: Call) throws(VarlinkError) -> OwnedDescriptor {
        guard call.descriptors.indices.contains(index) else { throw .invalidParameter("descriptor") }
        return call.descriptors[index]
    }
}
