import Documents
import Glibc
import Linux
import Scene

/// Export of all places of a store as a document.
package enum PlaceExport {
    package enum Failure: Error, Sendable {
        case cancelled
        case store(DatabaseError)
        /// The document cannot be written, with the error message.
        case file(String)
    }

    /// Number of places written, or why there are not all.
    package typealias Outcome = Result<Int, Failure>

    /// Number of places read and written at once. The store may change between two batches: each place is written once, as
    /// it is at that time.
    private static let batchSize = 500

    package static func run(
        from file: PlaceFile, to document: DocumentFile, form: PlaceDocumentWriter.Form, progress: (Int) -> Void
    ) -> Outcome {
        do throws(Failure) {
            let store = try reading { () throws(DatabaseError) in try PlaceStore(file, isFirst: false) }
            var writer = PlaceDocumentWriter(form: form)
            var (count, last) = (0, Int64(0))
            while true {
                let (places, next) = try reading { () throws(DatabaseError) in
                    try store.places(after: last, limit: batchSize)
                }
                for place in places { writer.append(place) }
                if next == nil { writer.finish() }
                try write(&writer, to: document)
                count += places.count
                progress(count)
                guard let next else { return .success(count) }
                last = next
            }
        } catch {
            return .failure(error)
        }
    }

    private static func write(_ writer: inout PlaceDocumentWriter, to document: DocumentFile) throws(Failure) {
        do throws(DocumentFile.Failure) {
            try document.write(writer.bytes)
            writer.removeAll()
        } catch {
            if case .cancelled = error { throw .cancelled }
            throw .file("\(error)")
        }
    }

    private static func reading<Value>(_ body: () throws(DatabaseError) -> Value) throws(Failure) -> Value {
        do throws(DatabaseError) {
            return try body()
        } catch {
            throw .store(error)
        }
    }
}

/// File, pipe or socket passed by a client, read or written with a timeout for a stuck client, and interrupted by a stop
/// flag.
package struct DocumentFile: Sendable {
    private let owner: OwnedDescriptor
    private let stop: StopFlag
    /// Time without progress of the other end, after which it is stuck. Unit: seconds.
    private let patience: Double

    /// Error of a read or a write.
    package enum Failure: Error, CustomStringConvertible {
        case cancelled
        case stuck(seconds: Double)
        case system(FileError)

        package var description: String {
            switch self {
            case .cancelled: "cancelled"
            case .stuck(let seconds): "timeout: no progress for \(Int(seconds.rounded(.up))) s"
            case .system(let error): error.description
            }
        }
    }

    /// Timeout of a reader that takes nothing of an export. Unit: seconds.
    package static let patience = 60.0
    /// Timeout of a writer that delivers nothing of an import, of which there is one at a time: a client whose source is
    /// slow to begin waits for its first byte before it calls. Unit: seconds.
    package static let importPatience = 10.0
    /// Number of bytes that a writable pipe accepts without blocking, by POSIX.
    private static let atomic = Int(PIPE_BUF)

    package init(_ owner: OwnedDescriptor, stop: StopFlag, patience: Double = Self.patience) {
        self.owner = owner
        self.stop = stop
        self.patience = patience
    }

    /// Reads the next bytes; returns their number, 0 at the end.
    package func read(into room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        while true {
            try wait(POLLIN)
            let count = Glibc.read(owner.descriptor, room.baseAddress, room.count)
            if count >= 0 { return count }
            guard errno == EINTR || errno == EAGAIN else { throw .system(.last) }
        }
    }

    /// Writes all bytes.
    package func write(_ bytes: some Sequence<UInt8>) throws(Failure) {
        let bytes = Array(bytes)
        var written = 0
        while written < bytes.count {
            try wait(POLLOUT)
            let count = bytes.withUnsafeBytes { all in
                Glibc.write(owner.descriptor, all.baseAddress! + written, min(Self.atomic, all.count - written))
            }
            if count >= 0 { written += count } else if errno != EINTR && errno != EAGAIN { throw .system(.last) }
        }
    }

    private func wait(_ events: Int32) throws(Failure) {
        let isReady = stop.wait(seconds: patience, for: Int16(events), on: owner.descriptor)
        guard !stop.isSet else { throw .cancelled }
        guard isReady else { throw .stuck(seconds: patience) }
    }
}
