import CLinux

/// A descriptor that is readable while any of several descriptors is readable, for code that can wait for only one
/// descriptor.
public final class AnyDescriptor {
    private let poll: EventPoll

    /// - Parameter watched: descriptors, which have to stay open as long as this object lives.
    public init(_ watched: [Int32]) throws(SystemError) {
        poll = try EventPoll()
        for descriptor in watched { try poll.add(descriptor, EPOLLIN.rawValue, word: 0) }
    }

    /// Readable while any watched descriptor is readable, or is in an error state that a read will report.
    public var descriptor: Int32 { poll.descriptor }
}
