import Documents
import Linux
import Persistence
import Varlink
import WaymarkInterface

/// `ImportPlaces` and `ExportPlaces` of `org.waymark.Scene`.
struct PlaceTransferMethods {
    let repository: PlaceRepository
    let transfers: PlaceTransfers
    let reactor: Reactor

    /// Maximum length of the name of a source. Unit: UTF-8 bytes.
    private static let maximumSourceLength = 200
    /// Name of the source if the call gives none.
    private static let defaultSource = "import"

    // MARK: import

    func importPlaces(_ request: SceneInterface.ImportPlaces, _ call: Call) throws(VarlinkError) {
        let source = request.source ?? Self.defaultSource
        guard (1...Self.maximumSourceLength).contains(source.utf8.count) else { throw .invalidParameter("source") }
        let document: PlaceTransfers.Document
        switch (request.descriptor, request.document) {
        case (let index?, nil): document = .file(try call.descriptor(index))
        case (nil, let text?): document = .text(Array(text.utf8))
        case (nil, nil): throw .invalidParameter("document")
        case (_?, _?): throw .invalidParameter("descriptor")
        }
        let user = call.peer.user
        do throws(PlaceTransfers.Refusal) {
            try transfers.takeImport(of: user, source: source)
        } catch {
            switch error {
            case .limit(let reached): throw .limitExceeded(.imports, reached.maximum)
            case .sourceInUse:
                throw .cannotStore("another import of the source '\(source)' is running: wait for its end")
            }
        }
        whenReady(call) { isReady in
            guard isReady else { return transfers.giveBackImport(of: user, source: source) }
            startImport(call, document, source: source, replace: request.replace ?? false)
        }
    }

    private func startImport(_ call: Call, _ document: PlaceTransfers.Document, source: String, replace: Bool) {
        guard let answer = importAnswer(to: call) else {
            return transfers.giveBackImport(of: call.peer.user, source: source)
        }
        let client = call.peer.process
        do throws(SystemError) {
            let task = try transfers.startImport(
                of: document, source: source, replace: replace, user: call.peer.user,
                onProgress: { answer.progress($0.message) },
                onEnd: { Self.end($0, source: source, client: client, answer) })
            answer.stream?.onEnd = { [weak task] in task?.cancel() }
            if answer.stream == nil { watch(call) { [weak task] in task?.cancel() } }
        } catch {
            answer.fail(VarlinkError(store: error))
        }
    }

    /// Returns the closures that answer the call; nil if the call needs a stream but cannot have one, which has then
    /// been answered with an error.
    private func importAnswer(to call: Call) -> ImportAnswer? {
        guard call.wantsMore else {
            return ImportAnswer(
                stream: nil, progress: { _ in }, end: { call.reply(json: $0) }, fail: { call.fail($0) })
        }
        guard let stream = call.stream() else { return nil }
        return ImportAnswer(
            stream: stream, progress: { stream.offer(EncodedMessage(json: $0)) }, end: { stream.finish(json: $0) },
            fail: { stream.fail($0) })
    }

    /// Closures that answer a call with one reply, or with several.
    private struct ImportAnswer {
        let stream: ReplyStream?
        let progress: (SceneInterface.ImportPlaces.Reply) -> Void
        let end: (SceneInterface.ImportPlaces.Reply) -> Void
        let fail: (VarlinkError) -> Void
    }

    /// Logs the outcome and answers the call. Contents and names of documents may reveal where their user goes, so they
    /// are logged at debug level only.
    private static func end(
        _ outcome: PlaceTransfers.ImportOutcome, source: String, client: Int32, _ answer: ImportAnswer
    ) {
        Log.debug("the import of client \(client) is of \(source)")
        switch outcome {
        case .success(let progress):
            let counts = progress.counts
            Log.notice(
                "places from client \(client): \(counts.taken) imported, \(counts.added) of them new, \(counts.removed) "
                    + "removed, \(counts.flawed) invalid")
            answer.end(progress.message)
        case .failure(let failure):
            let line = "the import of places from client \(client) ended early; places imported so far are kept"
            if case .document(let problem) = failure {
                Log.notice("\(line): the document is invalid")
                Log.debug("it is invalid: \(problem)")
            } else {
                Log.notice("\(line): \(failure)")
            }
            answer.fail(VarlinkError(failure))
        }
    }

    // MARK: export

    func exportPlaces(_ request: SceneInterface.ExportPlaces, _ call: Call) throws(VarlinkError) {
        let descriptor = try call.descriptor(request.descriptor)
        let user = call.peer.user
        if let reached = transfers.takeExport(of: user) { throw .limitExceeded(.exports, reached.maximum) }
        whenReady(call) { isReady in
            guard isReady else { return transfers.giveBackExport(of: user) }
            startExport(call, descriptor, PlaceDocumentWriter.Form(request.format ?? .geojson))
        }
    }

    private func startExport(_ call: Call, _ descriptor: OwnedDescriptor, _ form: PlaceDocumentWriter.Form) {
        do throws(SystemError) {
            let task = try transfers.startExport(to: descriptor, form: form, user: call.peer.user) { outcome in
                call.reply(outcome, VarlinkError.init) { SceneInterface.ExportPlaces.Reply(count: $0) }
            }
            watch(call) { [weak task] in task?.cancel() }
        } catch {
            call.fail(VarlinkError(store: error))
        }
    }

    // MARK: import and export

    /// Interval at which the caller's connection is checked. Unit: nanoseconds.
    private static let lookInterval: Int64 = 500_000_000

    /// Cancels the work if the caller disconnects before it has got its only reply.
    private func watch(_ call: Call, cancel: @escaping () -> Void) {
        reactor.after(Self.lookInterval) { [weak call] in
            guard let call, !call.isAnswered else { return }
            guard call.hasClient else { return cancel() }
            watch(call, cancel: cancel)
        }
    }

    /// Calls `then` once the store has been opened. If it cannot be opened, the caller gets the error, and `then` gets
    /// false.
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
