import CIIO
import Synchronization

/// A buffer that its own thread fills and destroys, and that any thread may cancel meanwhile.
final class BufferHandle: Sendable {
    /// As a number: pointers are not Sendable, and the lock is what makes this one safe.
    private let buffer = Mutex<UInt>(0)

    /// Makes a blocked refill return at once; does nothing when there is no buffer.
    func cancel() {
        buffer.withLock { if let pointer = OpaquePointer(bitPattern: $0) { iio_buffer_cancel(pointer) } }
    }

    func hold(_ pointer: OpaquePointer) {
        buffer.withLock { $0 = UInt(bitPattern: pointer) }
    }

    /// Outside of the lock: a server that does not answer holds the destruction up, and must not hold up a cancel.
    func destroy() {
        let bits = buffer.withLock { bits in
            defer { bits = 0 }
            return bits
        }
        if let pointer = OpaquePointer(bitPattern: bits) { iio_buffer_destroy(pointer) }
    }
}
