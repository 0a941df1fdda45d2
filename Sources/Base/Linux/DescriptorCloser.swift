import CLinux
import Synchronization

/// Closes descriptors that another process can make slow to close, on threads that do nothing else.
///
/// A TCP connection may linger until its peer has read all data (SO_LINGER), an unread message may contain such a
/// connection, and a file system may be a program that does not respond (FUSE). Closing such a descriptor blocks the
/// thread, so a thread that serves clients must not do it. The closer's threads wait at most a millisecond for a peer;
/// they cannot shorten the wait for a file system.
///
/// Users take turns, and each occupies at most one thread. The last thread and the last part of the capacity are
/// reserved for privileged users. A descriptor that waits to be closed keeps its number, so callers have to check
/// `hasRoom` before they receive or accept more.
public final class DescriptorCloser: Sendable {
    /// Closes accepted connections. Its capacity is large, because the program accepts no clients of any user while it
    /// is full.
    public static let ofConnections = DescriptorCloser(name: "close clients", threads: 4, capacity: 8192)
    /// Closes descriptors that came with messages.
    public static let ofReceived = DescriptorCloser(
        name: "close files", threads: 4, capacity: 1024, capacityOfUser: 256)

    /// Maximum number of descriptors that wait in both closers, if callers check `hasRoom` first. It includes one
    /// message that is received after the check, with as many descriptors as the kernel permits.
    public static var maximumWaitingCount: Int {
        ofConnections.capacity + ofReceived.capacity + ofReceived.capacityOfUser + Int(WAYMARK_DESCRIPTORS_SENT)
    }

    private struct State {
        /// Waiting descriptors of each user; empty for a user whose last waiting descriptor is being closed.
        var waiting: [UInt32: [Int32]] = [:]
        /// Users who have waiting descriptors and none that is being closed; the next user comes first.
        var turns: [UInt32] = []
        var beingClosed: Set<UInt32> = []
        var total = 0
        var threads = 0
        var idleThreads = 0

        func count(of user: UInt32) -> Int { (waiting[user]?.count ?? 0) + (beingClosed.contains(user) ? 1 : 0) }

        mutating func add(_ descriptor: Int32, of user: UInt32) {
            if waiting[user] == nil { turns.append(user) }
            waiting[user, default: []].append(descriptor)
            total += 1
        }

        /// Index in `turns` of the next user that may have a thread now.
        func turn(_ threadLimit: Int) -> Int? {
            let ordinary = beingClosed.count { !ShareLimit.privilegedUsers.contains($0) }
            let isOpen = threadLimit == 1 || ordinary < threadLimit - 1
            return turns.firstIndex { isOpen || ShareLimit.privilegedUsers.contains($0) }
        }

        mutating func next(_ threadLimit: Int) -> (descriptor: Int32, user: UInt32)? {
            guard let turn = turn(threadLimit) else { return nil }
            let user = turns.remove(at: turn)
            guard let descriptor = waiting[user]?.removeFirst() else { return nil }
            beingClosed.insert(user)
            return (descriptor, user)
        }

        mutating func closed(of user: UInt32) {
            total -= 1
            beingClosed.remove(user)
            if waiting[user]?.isEmpty == false { turns.append(user) } else { waiting[user] = nil }
        }
    }

    private let name: String
    private let threadLimit: Int
    private let capacity: Int
    private let capacityOfUser: Int
    private let state = Mutex(State())
    private let arrived = EventDescriptor()

    /// Maximum time between two looks for work. Unit: seconds.
    private static let maximumSleep = 3600.0

    /// Creates a closer. Its threads are started on demand and do not end.
    ///
    /// - Parameters:
    ///   - capacity: maximum number of waiting descriptors.
    ///   - capacityOfUser: maximum number of waiting descriptors of one user; nil for the whole capacity.
    public init(name: String, threads: Int, capacity: Int, capacityOfUser: Int? = nil) {
        self.name = name
        threadLimit = threads
        self.capacity = capacity
        self.capacityOfUser = capacityOfUser ?? capacity
    }

    /// Whether there is room for more descriptors, counting those of all users.
    public var hasRoom: Bool { state.withLock { $0.total < capacity } }

    /// Whether there is room for more descriptors of this user.
    public func hasRoom(for user: UInt32) -> Bool {
        let reserve = ShareLimit.privilegedUsers.contains(user) ? capacityOfUser : 0
        return state.withLock { $0.total < capacity + reserve && $0.count(of: user) < capacityOfUser }
    }

    /// Number of descriptors of a user that are not closed yet.
    public func waiting(of user: UInt32) -> Int { state.withLock { $0.count(of: user) } }

    /// Takes ownership of a descriptor that came from a user, and returns at once.
    public func close(_ descriptor: Int32, of user: UInt32) {
        state.withLock { $0.add(descriptor, of: user) }
        callThread()
    }

    /// Wakes or starts a thread for the waiting descriptors.
    private func callThread() {
        let isMissing = state.withLock { state in
            guard state.idleThreads == 0, state.threads < threadLimit, state.turn(threadLimit) != nil else {
                return false
            }
            state.threads += 1
            // The thread counts as idle until it looks for work, so that no second thread is started for the same work.
            state.idleThreads += 1
            return true
        }
        guard isMissing else { return arrived.signal() }
        _ = WorkerThread(name: name) { [self] stop in
            let result = waymark_become_closer()
            if result != 0 { Log.warning("\(SystemError("no timer to close connections that linger", code: -result))") }
            while !stop.isSet {
                closeAll()
                stop.wait(seconds: Self.maximumSleep, orReadable: arrived.descriptor)
                arrived.clear()
            }
        }
    }

    /// Closes waiting descriptors until there are none. The thread counts as idle before and after. In between, it
    /// holds the lock while it records one descriptor as closed and takes the next, so that no other thread is started
    /// for the next.
    private func closeAll() {
        var closed: UInt32?
        while let next = take(after: closed) {
            // Closing this descriptor may take any time, so another thread is called for the rest.
            if state.withLock({ $0.turn(threadLimit) != nil }) { callThread() }
            waymark_close_impatiently(next.descriptor)
            closed = next.user
        }
    }

    private func take(after closed: UInt32?) -> (descriptor: Int32, user: UInt32)? {
        state.withLock { state in
            if let closed {
                state.closed(of: closed)
                state.idleThreads += 1
            }
            guard let next = state.next(threadLimit) else { return nil }
            state.idleThreads -= 1
            return next
        }
    }
}
