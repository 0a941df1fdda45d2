import Documents
import Linux
import Scene
import SQLite

/// Export of all places of a store as a document.
package enum PlaceExport {
    package enum Failure: DatabaseFailure {
        case cancelled
        case store(DatabaseError)
        /// The document cannot be written; the text is the error message.
        case file(String)
    }

    /// Number of places written, or the reason why the export is incomplete.
    package typealias Outcome = Result<Int, Failure>

    /// Number of places that are read and written together. The store may change between two batches. Each place is
    /// written once, as it is when its batch is read.
    private static let batchSize = 500

    package static func run(
        from file: PlaceFile, to document: inout DocumentFile, form: PlaceDocumentWriter.Form, progress: (Int) -> Void
    ) -> Outcome {
        do throws(Failure) {
            let store = try Failure.wrapping { () throws(DatabaseError) in try PlaceStore(file, isFirst: false) }
            var writer = PlaceDocumentWriter(form: form)
            var (count, last) = (0, Int64(0))
            while true {
                let (places, next) = try Failure.wrapping { () throws(DatabaseError) in
                    try store.places(after: last, limit: batchSize)
                }
                for place in places { writer.append(place) }
                if next == nil { writer.finish() }
                try write(&writer, to: &document)
                count += places.count
                progress(count)
                guard let next else { return try complete(count, of: store) }
                last = next
            }
        } catch {
            return .failure(error)
        }
    }

    /// Reports an export that lacks damaged places as failed, so that the user does not keep it as a backup. The next
    /// export includes the recovered places.
    private static func complete(_ count: Int, of store: PlaceStore) throws(Failure) -> Outcome {
        guard store.damagedRows > 0, !store.isReadOnly else { return .success(count) }
        throw .store(
            .damage(store.file.path, "\(store.damagedRows) places are damaged; export the others, which are recovered"))
    }

    private static func write(_ writer: inout PlaceDocumentWriter, to document: inout DocumentFile) throws(Failure) {
        do throws(DocumentFile.Failure) {
            try document.write(writer.bytes)
            writer.removeAll()
        } catch {
            if case .cancelled = error { throw .cancelled }
            throw .file("\(error)")
        }
    }
}
