import CIIO
import Synchronization

/// A libiio buffer that one thread refills and destroys, and that any thread may cancel meanwhile.
final class BufferHandle: Sendable {
    /// Holds the pointer as an integer, since pointers are not Sendable; the lock makes its use safe.
    private let held = Mutex(Held())

    private struct Held {
        var bits: UInt = 0
        var revision = 0

        func cancel() { if let pointer = OpaquePointer(bitPattern: bits) { iio_buffer_cancel(pointer) } }
    }

    /// Makes a blocked refill return at once; does nothing if there is no buffer.
    func cancel() {
        held.withLock { $0.cancel() }
    }

    /// Cancels the buffer only if it was set up for an earlier pace request than `revision`.
    func cancel(before revision: Int) {
        held.withLock { if $0.revision < revision { $0.cancel() } }
    }

    /// Stores a new buffer.
    ///
    /// - Parameter revision: pace request for which the buffer was set up.
    func hold(_ pointer: OpaquePointer, revision: Int) {
        held.withLock { $0 = Held(bits: UInt(bitPattern: pointer), revision: revision) }
    }

    /// Destroys the buffer outside of the lock: an unresponsive server delays the call, which must not block `cancel`.
    func destroy() {
        let bits = held.withLock { held in
            defer { held.bits = 0 }
            return held.bits
        }
        if let pointer = OpaquePointer(bitPattern: bits) { iio_buffer_destroy(pointer) }
    }
}
