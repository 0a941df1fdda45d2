import JSON
import Linux
import Persistence

/// A document of a client: its bytes, or a file that the client has opened.
enum ClientDocument: Sendable {
    case bytes([UInt8])
    /// Document in a file, beginning at the file's present position.
    case file(OwnedDescriptor)

    /// Maximum size. Unit: bytes.
    static let maximumSize = 16 << 20

    /// Time after which the daemon stops waiting for a system call on the file. Unit: seconds.
    static let patience = 10.0
    static let stuck = DocumentProblem.whole("timeout: the file does not answer")

    /// Returns the document's bytes. Reading a file may take as long as the file's owner likes.
    ///
    /// - Parameters:
    ///   - kind: kind of the document's content, for messages.
    ///   - clock: measures the duration of the system calls.
    func bytes(of kind: String, _ clock: CallClock = CallClock()) throws(DocumentProblem) -> [UInt8] {
        let bytes: [UInt8]
        switch self {
        case .bytes(let present): bytes = present
        case .file(let owned):
            let result = clock.time { Result { () throws(DocumentProblem) in try Self.read(owned) } }
            bytes = try result.get()
        }
        guard bytes.count <= Self.maximumSize else {
            throw .whole("larger than the limit of \(Self.maximumSize >> 20) MiB for a \(kind)")
        }
        return bytes
    }

    private static func read(_ owned: OwnedDescriptor) throws(DocumentProblem) -> [UInt8] {
        do {
            let file = File(owning: try owned.duplicate())
            // Only regular files are read, because a slow writer into a pipe could take hours.
            let status = try file.status()
            guard status.isRegular else {
                throw DocumentProblem.whole("the descriptor is not a regular file")
            }
            // One byte more than permitted is read, so that a file that is too large is noticed. No more memory than
            // the file's size is allocated.
            return try file.read(atMost: min(maximumSize, Int(clamping: status.size)) + 1)
        } catch let problem as DocumentProblem {
            throw problem
        } catch {
            throw .whole("the file cannot be read: \(error)")
        }
    }
}
