import CLinux
import Glibc

/// Memory of a fixed size that other processes map too. It is a sealed memfd, mapped here as long as this object lives.
///
/// Other processes may change its content at any time, so it is read only by atomic loads.
public final class SharedMemory {
    /// Access that other processes have.
    public enum Access: Sendable {
        /// Access for reading only. No process can map the memory for writing, and this process cannot do so a second
        /// time.
        case reading
        /// Access for reading and writing; the size stays fixed.
        case writing
    }

    /// Beginning of the mapping.
    public let address: UnsafeMutableRawPointer
    /// Size of the mapping. Unit: bytes.
    public let size: Int
    private var owner: OwnedDescriptor?

    /// Creates zeroed memory that this process may write.
    ///
    /// - Parameter name: shown in /proc, for diagnosis; need not be unique.
    public init(_ name: String, size: Int, others: Access) throws(SystemError) {
        var memory: UnsafeMutableRawPointer?
        let descriptor = waymark_shared_memory(name, size, others == .writing ? 1 : 0, &memory)
        guard descriptor >= 0, let memory else { throw SystemError("create shared memory", code: -descriptor) }
        address = memory
        self.size = size
        owner = OwnedDescriptor(descriptor)
    }

    /// Maps memory that another process has handed over.
    ///
    /// - Parameters:
    ///   - mapped: access of this process.
    ///   - minimumSize: size below which the memory is refused. Unit: bytes.
    /// - Throws: EINVAL, for example for memory whose size is not sealed. The seal ensures that no access faults.
    public init(_ received: OwnedDescriptor, mapped: Access, minimumSize: Int) throws(SystemError) {
        // Swift may release an object after its last use. That would close the descriptor too early.
        defer { withExtendedLifetime(received) {} }
        var information = stat()
        guard fstat(received.descriptor, &information) == 0 else { throw .last("check shared memory") }
        let size = Int(information.st_size)
        guard waymark_has_fixed_size(received.descriptor) == 1, size >= minimumSize, size <= Self.maximumSize else {
            throw SystemError("map shared memory of \(size) bytes", code: EINVAL)
        }
        let protection = mapped == .writing ? PROT_READ | PROT_WRITE : PROT_READ
        guard let memory = mmap(nil, size, protection, MAP_SHARED, received.descriptor, 0),
            memory != UnsafeMutableRawPointer(bitPattern: -1)
        else { throw .last("map shared memory") }
        address = memory
        self.size = size
    }

    /// Maximum size of memory accepted from another process. Unit: bytes.
    private static let maximumSize = 1 << 24

    deinit { munmap(address, size) }

    /// Descriptor to hand over; nil for another process's memory, and after the descriptor was closed.
    public var descriptor: Int32? { owner?.descriptor }

    /// Closes the descriptor, which is not needed after it has been handed over; the mapping stays.
    public func closeDescriptor() { owner = nil }
}
