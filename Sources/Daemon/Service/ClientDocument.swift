import JSON
import Linux

/// A document of a client: its bytes, or a file that the client has opened.
enum ClientDocument: Sendable {
    case bytes([UInt8])
    /// Document in a file, from the file's present position on.
    case file(OwnedDescriptor)

    /// Maximum size. Unit: bytes.
    static let maximumSize = 16 << 20

    /// Duration of a system call on the file, after which it does not answer. Unit: seconds.
    static let patience = 10.0
    static let stuck = DocumentProblem(path: "", message: "timeout: the file does not answer")

    /// The document's bytes, read from its file if it is in one; that may take as long as the file's owner likes.
    ///
    /// - Parameters:
    ///   - kind: what it holds, for messages.
    ///   - clock: times the system calls.
    func bytes(of kind: String, _ clock: CallClock = CallClock()) throws(DocumentProblem) -> [UInt8] {
        let bytes: [UInt8]
        switch self {
        case .bytes(let present): bytes = present
        case .file(let owned):
            let result = clock.time { Result { () throws(DocumentProblem) in try Self.read(owned) } }
            bytes = try result.get()
        }
        guard bytes.count <= Self.maximumSize else {
            throw DocumentProblem(
                path: "", message: "larger than the limit of \(Self.maximumSize >> 20) MiB for a \(kind)")
        }
        return bytes
    }

    private static func read(_ owned: OwnedDescriptor) throws(DocumentProblem) -> [UInt8] {
        do {
            let file = File(owning: try owned.duplicate())
            // A slow writer into a pipe could take hours.
            let status = try file.status()
            guard status.isRegular else {
                throw DocumentProblem(path: "", message: "the descriptor is not a regular file")
            }
            // One byte more, by which a file that is too large shows; no more memory than it has bytes.
            return try file.read(atMost: min(maximumSize, Int(clamping: status.size)) + 1)
        } catch let problem as DocumentProblem {
            throw problem
        } catch {
            throw DocumentProblem(path: "", message: "the file cannot be read: \(error)")
        }
    }
}
