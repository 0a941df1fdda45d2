import CLinux
import Glibc

/// An epoll instance with room for the events of one wait.
final class EventPoll {
    let descriptor: Int32
    private var events = [epoll_event](repeating: epoll_event(), count: 64)

    init() throws(SystemError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .last("epoll_create1") }
    }

    deinit { close(descriptor) }

    /// Reports `word` whenever the descriptor is ready for one of the events in `mask`.
    func add(_ watched: Int32, _ mask: UInt32, word: UInt64) throws(SystemError) {
        guard control(EPOLL_CTL_ADD, watched, mask, word) else { throw .last("watch descriptor \(watched)") }
    }

    func change(_ watched: Int32, _ mask: UInt32, word: UInt64) {
        let done = control(EPOLL_CTL_MOD, watched, mask, word)
        precondition(done, "a watched descriptor was closed before its watch was removed")
    }

    func remove(_ watched: Int32) { _ = control(EPOLL_CTL_DEL, watched, 0, 0) }

    /// Whether a wait returned as many events as it has room for, so that more descriptors may be ready.
    private(set) var isFull = false

    /// Waits for at most `patience` nanoseconds (nil: without limit), rounded up to milliseconds, and returns the ready
    /// events, or only some of very many.
    ///
    /// The result stays valid if a handler calls this function again, as a test does when it blocks.
    func wait(_ patience: Int64?) -> ArraySlice<epoll_event> {
        let milliseconds = patience.map { Int32(clamping: ($0 + 999_999) / 1_000_000) } ?? -1
        let count = epoll_wait(descriptor, &events, Int32(events.count), milliseconds)
        precondition(count >= 0 || errno == EINTR, "epoll_wait failed for a reason of our own making")
        isFull = count == events.count
        return events.prefix(max(0, Int(count)))
    }

    private func control(_ operation: Int32, _ watched: Int32, _ mask: UInt32, _ word: UInt64) -> Bool {
        var event = epoll_event(events: mask, data: epoll_data_t(u64: word))
        return epoll_ctl(descriptor, operation, watched, &event) == 0
    }
}

/// A set of descriptors whose own descriptor is readable while one of the members is. Safe for use by any thread.
public final class DescriptorSet: Sendable {
    /// Readable while a member is; owned by this object.
    public let descriptor: Int32

    /// Creates an empty set.
    public init() {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        precondition(descriptor >= 0, "no descriptor left for an epoll instance at start")
    }

    deinit { close(descriptor) }

    /// Adds a member, which the caller removes before closing it.
    public func insert(_ member: Int32) {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: member))
        epoll_ctl(descriptor, EPOLL_CTL_ADD, member, &event)
    }

    /// Removes a member; does nothing if it is none.
    public func remove(_ member: Int32) { epoll_ctl(descriptor, EPOLL_CTL_DEL, member, nil) }
}
