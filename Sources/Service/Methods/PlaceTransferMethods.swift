import Documents
import Linux
import PlaceStore
import Varlink
import WaymarkInterface

/// `ImportPlaces` and `ExportPlaces` of `org.waymark.Scene`.
final class PlaceTransferMethods {
    private let repository: PlaceRepository
    private let transfers: PlaceTransfers
    private let reactor: Reactor
    /// Whether an import waits for the store before it begins.
    private var isImportWaiting = false
    private var isExportWaiting = false

    /// Maximum length of the name of a source. Unit: UTF-8 bytes.
    private static let longestSource = 200
    /// Source of documents that come without a name.
    private static let defaultSource = "import"

    init(_ reactor: Reactor, repository: PlaceRepository, transfers: PlaceTransfers) {
        self.reactor = reactor
        self.repository = repository
        self.transfers = transfers
    }

    // MARK: import

    func importPlaces(_ request: SceneInterface.ImportPlaces, _ call: Call) throws(VarlinkError) {
        let source = request.source ?? Self.defaultSource
        guard (1...Self.longestSource).contains(source.utf8.count) else { throw .invalidParameter("source") }
        let document: PlaceTransfers.Document
        switch (request.descriptor, request.document) {
        case (let index?, nil): document = .file(try call.descriptor(index))
        case (nil, let text?): document = .text(Array(text.utf8))
        case (nil, nil): throw .invalidParameter("document")
        case (_?, _?): throw .invalidParameter("descriptor")
        }
        guard !isImportWaiting, !transfers.isImporting else { throw .limitExceeded(.imports, 1) }
        isImportWaiting = true
        whenReady(call) { [weak self] isReady in
            guard let self else { return }
            isImportWaiting = false
            if isReady { startImport(call, document, source: source, replace: request.replace ?? false) }
        }
    }

    private func startImport(_ call: Call, _ document: PlaceTransfers.Document, source: String, replace: Bool) {
        let answer: ImportAnswer
        if call.wantsMore {
            guard let stream = call.stream() else { return }
            stream.onEnd = { [weak transfers] in transfers?.cancelImport() }
            answer = ImportAnswer(
                progress: { stream.offer(EncodedMessage(json: $0)) }, end: { stream.finish(json: $0) },
                fail: { stream.fail($0) })
        } else {
            let watch = watch(call) { $0.cancelImport() }
            answer = ImportAnswer(
                progress: { _ in },
                end: { [reactor] reply in
                    reactor.cancel(watch)
                    call.reply(json: reply)
                },
                fail: { [reactor] error in
                    reactor.cancel(watch)
                    call.fail(error)
                })
        }
        do throws(SystemError) {
            try transfers.startImport(of: document, source: source, replace: replace) { progress in
                answer.progress(progress.message)
            } onEnd: { outcome in
                Self.end(outcome, source: source, answer)
            }
        } catch {
            answer.fail(VarlinkError(store: error))
        }
    }

    /// Answer to a caller that wants one reply or many.
    private struct ImportAnswer {
        let progress: (SceneInterface.ImportPlaces.Reply) -> Void
        let end: (SceneInterface.ImportPlaces.Reply) -> Void
        let fail: (VarlinkError) -> Void
    }

    private static func end(_ outcome: PlaceTransfers.ImportOutcome, source: String, _ answer: ImportAnswer) {
        switch outcome {
        case .success(let progress):
            let counts = progress.counts
            Log.notice(
                "places from \(source): \(counts.taken) imported, \(counts.added) of them new, \(counts.removed) "
                    + "removed, \(counts.flawed) invalid")
            answer.end(progress.message)
        case .failure(let failure):
            Log.notice("the import of places from \(source) ended early; places imported so far are kept: \(failure)")
            answer.fail(VarlinkError(failure))
        }
    }

    // MARK: export

    func exportPlaces(_ request: SceneInterface.ExportPlaces, _ call: Call) throws(VarlinkError) {
        let descriptor = try call.descriptor(request.descriptor)
        guard !isExportWaiting, !transfers.isExporting else { throw .limitExceeded(.exports, 1) }
        isExportWaiting = true
        whenReady(call) { [weak self] isReady in
            guard let self else { return }
            isExportWaiting = false
            if isReady { startExport(call, descriptor, PlaceDocumentWriter.Form(request.format ?? .geojson)) }
        }
    }

    private func startExport(_ call: Call, _ descriptor: OwnedDescriptor, _ form: PlaceDocumentWriter.Form) {
        let watch = watch(call) { $0.cancelExport() }
        do throws(SystemError) {
            try transfers.startExport(to: descriptor, form: form) { _ in
            } onEnd: { [reactor] outcome in
                reactor.cancel(watch)
                switch outcome {
                case .success(let count): call.reply(json: SceneInterface.ExportPlaces.Reply(count: count))
                case .failure(let failure): call.fail(VarlinkError(failure))
                }
            }
        } catch {
            reactor.cancel(watch)
            call.fail(VarlinkError(store: error))
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
        repository.perform { _ in
        } then: { result in
            if case .failure(let error) = result { call.fail(VarlinkError(store: error)) }
            then((try? result.get()) != nil)
        }
    }
}

extension PlaceDocumentWriter.Form {
    fileprivate init(_ format: SceneInterface.PlaceFormat) {
        switch format {
        case .geojson: self = .collection
        case .geojsonseq: self = .sequence
        case .ndjson: self = .lines
        }
    }
}
