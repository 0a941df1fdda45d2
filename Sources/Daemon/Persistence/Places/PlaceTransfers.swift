import Documents
import JSON
import Linux
import Scene
import SQLite

/// Imports and exports places. Each transfer has its own thread and connection, and a user may have one import and one
/// export at a time.
///
/// Not thread-safe: for use on the reactor's thread.
package final class PlaceTransfers {
    /// Document with the places of an import.
    package enum Document: Sendable {
        case file(OwnedDescriptor)
        case text([UInt8])
    }

    /// Progress of a running import, or result of a completed one.
    package struct ImportProgress: Sendable {
        package var counts = PlaceImport.Counts()
        /// Size of the part of the document that was read. Unit: bytes.
        package var bytes: UInt64 = 0
    }

    package typealias ImportOutcome = Result<ImportProgress, PlaceImport.Failure>
    package typealias Import = BackgroundTask<ImportProgress, ImportOutcome>
    package typealias Export = BackgroundTask<Int, PlaceExport.Outcome>

    private let reactor: Reactor
    private let file: PlaceFile
    /// Time within which an import has to make progress. Unit: seconds.
    private let importPatience: Double
    /// Slots for imports and for exports. A slot is held until the thread of its import or export ends.
    private var imports = SharedPlaces(ShareLimit(all: 3, ofUser: 1, reserve: 1))
    private var exports = SharedPlaces(ShareLimit(all: 4, ofUser: 1, reserve: 1))
    /// Sources that are being imported. A source may have one import at a time, because an import has to distinguish
    /// its places from those of earlier imports.
    private var sources: Set<String> = []
    private var runningImports: [ObjectIdentifier: Import] = [:]
    private var runningExports: [ObjectIdentifier: Export] = [:]

    package init(_ reactor: Reactor, _ file: PlaceFile, importPatience: Double = DocumentFile.importPatience) {
        self.reactor = reactor
        self.file = file
        self.importPatience = importPatience
    }

    // MARK: import

    /// Reason why an import cannot begin.
    package enum Refusal: Error, Equatable {
        case limit(ShareLimit.Reached)
        /// The source is already being imported.
        case sourceInUse
    }

    /// Takes a slot for a user's import.
    package func takeImport(of user: UInt32, source: String) throws(Refusal) {
        guard !sources.contains(source) else { throw .sourceInUse }
        if let reached = imports.take(user) { throw .limit(reached) }
        sources.insert(source)
    }

    /// Returns a slot that was not used to start an import.
    package func giveBackImport(of user: UInt32, source: String) {
        imports.giveBack(user)
        sources.remove(source)
    }

    /// Starts an import for which a slot has been taken. If this throws an error, the slot has been given back.
    package func startImport(
        of document: Document, source: String, replace: Bool, user: UInt32,
        onProgress: @escaping (ImportProgress) -> Void, onEnd: @escaping (ImportOutcome) -> Void
    ) throws(SystemError) -> Import {
        let (file, patience) = (file, importPatience)
        var identifier: ObjectIdentifier?
        let handlers = Import.Handlers(
            progress: onProgress,
            end: { [weak self] outcome in
                // Even an abandoned import stores nothing more, so its source may be imported again.
                self?.sources.remove(source)
                onEnd(outcome)
            },
            release: { [weak self] in
                self?.imports.giveBack(user)
                if let identifier { self?.runningImports[identifier] = nil }
            })
        do throws(SystemError) {
            let task = try Import(
                reactor, name: "import places", patience: patience + DocumentFile.callPatience,
                stuck: .failure(.document(Self.stuck)), handlers: handlers
            ) { context in
                Self.runImport(
                    into: file, of: document, source: source, replace: replace, patience: patience, context)
            }
            identifier = ObjectIdentifier(task)
            runningImports[ObjectIdentifier(task)] = task
            return task
        } catch {
            giveBackImport(of: user, source: source)
            throw error
        }
    }

    private static var stuck: DocumentProblem {
        .whole("timeout: its file system does not answer")
    }

    private static func runImport(
        into file: PlaceFile, of document: Document, source: String, replace: Bool, patience: Double,
        _ context: Import.Context
    ) -> ImportOutcome {
        do throws(PlaceImport.Failure) {
            let store = try PlaceImport.Failure.wrapping { () throws(DatabaseError) in
                try PlaceStore(file, isFirst: false)
            }
            let reader = PlaceDocument(document, stop: context.stop, clock: context.clock, patience: patience)
            var work = try PlaceImport(into: store, source: source, replace: replace)
            let counts = try work.run {
                () throws(PlaceImport.Failure) in
                let item = try reader.next()
                // The empty output of a failed command must not lead to the removal of existing places.
                guard case .end = item, replace, reader.bytes == 0 else { return item }
                throw .document(.whole("it is empty, and would replace every place of its source"))
            } progress: { counts in
                context.report(ImportProgress(counts: counts, bytes: reader.bytes))
                return !context.stop.isSet
            }
            return .success(ImportProgress(counts: counts, bytes: reader.bytes))
        } catch {
            return .failure(error)
        }
    }

    // MARK: export

    /// Takes a slot for a user's export; returns the limit if one is reached.
    package func takeExport(of user: UInt32) -> ShareLimit.Reached? { exports.take(user) }

    /// Returns a slot that was not used to start an export.
    package func giveBackExport(of user: UInt32) { exports.giveBack(user) }

    /// Starts an export for which a slot has been taken. If this throws an error, the slot has been given back.
    package func startExport(
        to descriptor: OwnedDescriptor, form: PlaceDocumentWriter.Form, user: UInt32,
        onEnd: @escaping (PlaceExport.Outcome) -> Void
    ) throws(SystemError) -> Export {
        let file = file
        var identifier: ObjectIdentifier?
        let handlers = Export.Handlers(end: onEnd) { [weak self] in
            self?.exports.giveBack(user)
            if let identifier { self?.runningExports[identifier] = nil }
        }
        do throws(SystemError) {
            let task = try Export(
                reactor, name: "export places", patience: DocumentFile.patience + DocumentFile.callPatience,
                stuck: .failure(.file(Self.stuck.message)), handlers: handlers
            ) { context in
                var document = DocumentFile(descriptor, stop: context.stop, clock: context.clock)
                return PlaceExport.run(from: file, to: &document, form: form, progress: context.report)
            }
            identifier = ObjectIdentifier(task)
            runningExports[ObjectIdentifier(task)] = task
            return task
        } catch {
            exports.giveBack(user)
            throw error
        }
    }

    // MARK: end

    package func requestEnd() {
        for task in runningImports.values { task.cancel() }
        for task in runningExports.values { task.cancel() }
    }

    /// Waits for all transfers to end; committed batches of an import stay.
    package func end(timeoutSeconds: Double) {
        let budget = TimeBudget(seconds: timeoutSeconds)
        for task in runningImports.values { task.stop(timeoutSeconds: budget.secondsLeft) }
        for task in runningExports.values { task.stop(timeoutSeconds: budget.secondsLeft) }
    }
}
