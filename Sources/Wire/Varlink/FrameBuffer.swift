import Glibc
import Linux

/// Received bytes of one connection. They are split into messages at NULs, with the descriptors of each message.
package struct FrameBuffer {
    package enum Next {
        case message(ArraySlice<UInt8>, [OwnedDescriptor])
        /// No complete message is left.
        case none
        /// The next message, whether complete or not, exceeds the length limit.
        case overlong
    }

    /// Maximum number of waiting descriptors, which is the maximum of one call. Any more are closed.
    static let descriptorLimit = UnixStream.descriptorLimit

    /// Capacity above which an empty buffer is freed. Unit: bytes.
    private static let keptCapacity = 16 * 1024

    private let messageLimit: Int
    private var bytes: [UInt8] = []
    /// Position at which the next message begins. Unit: bytes.
    private var start = 0
    /// Positions of the NULs. From index `nextEnd` on, they belong to messages not yet taken.
    private var ends: [Int] = []
    private var nextEnd = 0
    /// Descriptors, each with the position of the last byte received with them.
    private var descriptors: [(place: Int, descriptors: [OwnedDescriptor])] = []

    package init(messageLimit: Int) { self.messageLimit = messageLimit }

    /// Number of complete messages that have not been taken.
    var messageCount: Int { ends.count - nextEnd }

    /// Whether there is a message to take, or an overlong one.
    var hasNext: Bool { messageCount > 0 || byteCount > messageLimit }

    /// Waiting messages, with their NULs.
    var waiting: ArraySlice<UInt8> { bytes[start...] }

    /// Number of bytes that have not been taken.
    var byteCount: Int { bytes.count - start }

    package mutating func append(_ received: UnsafeRawBufferPointer, descriptors new: [OwnedDescriptor]) {
        compact()
        let base = bytes.count
        bytes.append(contentsOf: received)
        noteEnds(in: received, base: base)
        let held = descriptors.reduce(0) { $0 + $1.descriptors.count }
        if !new.isEmpty, held + new.count <= Self.descriptorLimit {
            descriptors.append((bytes.count - 1, new))
        }
    }

    private mutating func noteEnds(in received: UnsafeRawBufferPointer, base: Int) {
        guard let first = received.baseAddress else { return }
        var searched = 0
        while let end = memchr(first + searched, 0, received.count - searched) {
            let offset = UnsafeRawPointer(end) - first
            ends.append(base + offset)
            searched = offset + 1
        }
    }

    package mutating func next() -> Next {
        guard nextEnd < ends.count else { return byteCount > messageLimit ? .overlong : .none }
        let end = ends[nextEnd]
        guard end - start <= messageLimit else { return .overlong }
        let message = bytes[start..<end]
        var taken: [OwnedDescriptor] = []
        // Descriptors that arrived up to this message's NUL belong to the message, because they arrive no later than
        // its last bytes.
        while let first = descriptors.first, first.place <= end {
            taken += first.descriptors
            descriptors.removeFirst()
        }
        nextEnd += 1
        start = end + 1
        return .message(message, taken)
    }

    /// Frees the space of taken messages.
    private mutating func compact() {
        guard start > 0 else { return }
        if byteCount == 0, bytes.capacity > Self.keptCapacity {
            bytes = []
        } else {
            bytes.removeSubrange(..<start)
        }
        ends = ends[nextEnd...].map { $0 - start }
        descriptors = descriptors.map { ($0.place - start, $0.descriptors) }
        nextEnd = 0
        start = 0
    }
}
