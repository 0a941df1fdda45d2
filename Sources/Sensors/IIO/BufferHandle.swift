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

    func destroy() {
        buffer.withLock { bits in
            if let pointer = OpaquePointer(bitPattern: bits) { iio_buffer_destroy(pointer) }
            bits = 0
        }
    }
}
