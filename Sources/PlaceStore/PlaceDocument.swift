import Documents
import JSON
import Linux

/// The places of a document that a client sent or handed over, one by one.
package final class PlaceDocument {
    private var reader: PlaceDocumentReader
    private let stop: StopFlag

    package init(_ document: PlaceTransfers.Document, stop: StopFlag) {
        self.stop = stop
        switch document {
        case .file(let descriptor):
            let file = DocumentFile(descriptor, stop: stop)
            reader = PlaceDocumentReader { room in try file.read(into: room) }
        case .text(let bytes):
            var rest = bytes[...]
            reader = PlaceDocumentReader { room in
                let part = rest.prefix(room.count)
                room.copyBytes(from: part)
                rest = rest.dropFirst(part.count)
                return part.count
            }
        }
    }

    /// Position in the document, behind what was read. Unit: bytes.
    package var bytes: UInt64 { reader.offset }

    package func next() throws(PlaceImport.Failure) -> PlaceImport.Item {
        do throws(DocumentProblem) {
            return try reader.next().map { .place($0) } ?? .end
        } catch {
            guard !reader.canGoOn else { return .flaw(error) }
            throw stop.isSet ? .cancelled : .document(error)
        }
    }
}
