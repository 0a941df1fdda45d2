import Documents
import JSON
import Linux
import Scene
import SQLite

/// Imports and exports of places, one of each at a time, each with its own thread and connection.
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
    /// Time without enough progress of an import. Unit: seconds.
    private let importPatience: Double
    private var runningImport: Import?
    private var runningExport: Export?

    package init(_ reactor: Reactor, _ file: PlaceFile, importPatience: Double = DocumentFile.importPatience) {
        self.reactor = reactor
        self.file = file
        self.importPatience = importPatience
    }

    package var isImporting: Bool { runningImport != nil }
    package var isExporting: Bool { runningExport != nil }

    /// Starts an import; none may be running.
    package func startImport(
        of document: Document, source: String, replace: Bool, onProgress: @escaping (ImportProgress) -> Void,
        onEnd: @escaping (ImportOutcome) -> Void
    ) throws(SystemError) {
        precondition(runningImport == nil, "one import at a time")
        let (file, patience) = (file, importPatience)
        runningImport = try Import(
            reactor, name: "import places", onProgress: onProgress,
            onEnd: { [weak self] outcome in
                self?.runningImport = nil
                onEnd(outcome)
            },
            body: { stop, report in
                Self.runImport(
                    into: file, of: document, source: source, replace: replace, patience: patience, stop, report)
            })
    }

    /// Cancels the import at its next batch.
    package func cancelImport() { runningImport?.cancel() }

    private static func runImport(
        into file: PlaceFile, of document: Document, source: String, replace: Bool, patience: Double,
        _ stop: StopFlag, _ report: (ImportProgress) -> Void
    ) -> ImportOutcome {
        do throws(PlaceImport.Failure) {
            let store = try openStore(file)
            let reader = PlaceDocument(document, stop: stop, patience: patience)
            var work = try PlaceImport(into: store, source: source, replace: replace)
            let counts = try work.run {
                () throws(PlaceImport.Failure) in
                let item = try reader.next()
                // What a failed command leaves in a pipe must not remove what there was.
                guard case .end = item, replace, reader.bytes == 0 else { return item }
                throw .document(
                    DocumentProblem(path: "", message: "it is empty, and would replace every place of its source"))
            } progress: { counts in
                report(ImportProgress(counts: counts, bytes: reader.bytes))
                return !stop.isSet
            }
            return .success(ImportProgress(counts: counts, bytes: reader.bytes))
        } catch {
            return .failure(error)
        }
    }

    private static func openStore(_ file: PlaceFile) throws(PlaceImport.Failure) -> PlaceStore {
        do throws(DatabaseError) {
            return try PlaceStore(file, isFirst: false)
        } catch {
            throw .store(error)
        }
    }

    /// Starts an export; none may be running.
    package func startExport(
        to descriptor: OwnedDescriptor, form: PlaceDocumentWriter.Form, onProgress: @escaping (Int) -> Void,
        onEnd: @escaping (PlaceExport.Outcome) -> Void
    ) throws(SystemError) {
        precondition(runningExport == nil, "one export at a time")
        let file = file
        runningExport = try Export(
            reactor, name: "export places", onProgress: onProgress,
            onEnd: { [weak self] outcome in
                self?.runningExport = nil
                onEnd(outcome)
            },
            body: { stop, report in
                PlaceExport.run(from: file, to: DocumentFile(descriptor, stop: stop), form: form, progress: report)
            })
    }

    package func cancelExport() { runningExport?.cancel() }

    // MARK: end

    /// Asks both transfers to end.
    package func requestEnd() {
        cancelImport()
        cancelExport()
    }

    /// Waits for both transfers to end; committed batches of an import stay.
    package func end(timeoutSeconds: Double) {
        let budget = TimeBudget(seconds: timeoutSeconds)
        runningImport?.stop(timeoutSeconds: budget.secondsLeft)
        runningExport?.stop(timeoutSeconds: budget.secondsLeft)
    }
}
