import CIIO
import Synchronization

/// A buffer that its own thread fills and destroys, and that any thread may cancel meanwhile.
final class BufferHandle: Sendable {
    /// As a number: pointers are not Sendable, and the lock is what makes this one safe.
    private let held = Mutex(Held())

    private struct Held {
        var bits: UInt = 0
        var revision = 0

        func cancel() { if let pointer = OpaquePointer(bitPattern: bits) { iio_buffer_cancel(pointer) } }
    }

    /// Makes a blocked refill return at once; does nothing when there is no buffer.
    func cancel() {
        held.withLock { $0.cancel() }
    }

    /// The same for a buffer of an earlier pace; one that follows the wish of this revision already goes on.
    func cancel(before revision: Int) {
        held.withLock { if $0.revision < revision { $0.cancel() } }
    }

    /// - Parameter revision: of the pace at which the buffer was set up.
    func hold(_ pointer: OpaquePointer, revision: Int) {
        held.withLock { $0 = Held(bits: UInt(bitPattern: pointer), revision: revision) }
    }

    /// Outside of the lock: a server that does not answer holds the destruction up, and must not hold up a cancel.
    func destroy() {
        let bits = held.withLock { held in
            defer { held.bits = 0 }
            return held.bits
        }
        if let pointer = OpaquePointer(bitPattern: bits) { iio_buffer_destroy(pointer) }
    }
}
