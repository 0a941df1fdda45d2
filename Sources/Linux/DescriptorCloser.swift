import CLinux
import Synchronization

/// Closes descriptors whose closing another process can delay, on threads that do nothing else.
///
/// A TCP connection may linger until its peer has read all of it (SO_LINGER), an unread message may hold such a
/// connection, and a file system may be a program that does not answer (FUSE). The thread that closes one of these
/// waits, so it is none that serves clients.
///
/// Users take turns, and each occupies one thread at most. What waits to be closed keeps its number: who receives and
/// accepts has to ask first whether there is room for more.
public final class DescriptorCloser: Sendable {
    /// Closes connections that were accepted. Each takes about a millisecond at most.
    public static let ofConnections = DescriptorCloser(name: "close clients", threads: 1, capacity: 256)
    /// Closes descriptors that came with messages. A file that does not answer occupies its thread until it does.
    public static let ofReceived = DescriptorCloser(
        name: "close files", threads: 3, capacity: 1024, capacityOfUser: 256)

    /// Largest number of descriptors that wait for both, if callers ask before they add to them: one message may bring
    /// as many as the kernel permits.
    public static var largestNumber: Int {
        ofConnections.capacity + ofReceived.capacity + Int(WAYMARK_DESCRIPTORS_SENT)
    }

    private struct State {
        /// Descriptors of each user that wait; empty for one whose last one is being closed.
        var waiting: [UInt32: [Int32]] = [:]
        /// Users whose descriptors wait, none of them being closed, the next one first.
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

        mutating func next() -> (descriptor: Int32, user: UInt32)? {
            guard !turns.isEmpty else { return nil }
            let user = turns.removeFirst()
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

    /// Interval at which a thread looks for work by itself. Unit: seconds.
    private static let longestSleep = 3600.0

    /// Makes a closer without threads, which come when they are needed and stay.
    ///
    /// - Parameters:
    ///   - name: of its threads; see `WorkerThread`.
    ///   - threads: maximum number of threads, and so of users who can wait at the same time for what they have sent.
    ///   - capacity: number of descriptors that may wait.
    ///   - capacityOfUser: number of those of one user; nil for the whole capacity.
    public init(name: String, threads: Int, capacity: Int, capacityOfUser: Int? = nil) {
        self.name = name
        threadLimit = threads
        self.capacity = capacity
        self.capacityOfUser = capacityOfUser ?? capacity
    }

    /// Whether more may be added, as far as all users together are concerned.
    public var hasRoom: Bool { state.withLock { $0.total < capacity } }

    /// Whether more may be added of this user.
    public func hasRoom(for user: UInt32) -> Bool {
        state.withLock { $0.total < capacity && $0.count(of: user) < capacityOfUser }
    }

    /// Number of descriptors of a user that are not closed yet.
    public func waiting(of user: UInt32) -> Int { state.withLock { $0.count(of: user) } }

    /// Takes ownership of a descriptor that came from a user, and returns at once.
    public func close(_ descriptor: Int32, of user: UInt32) {
        state.withLock { $0.add(descriptor, of: user) }
        callThread()
    }

    /// Sees to it that a thread comes for what waits.
    private func callThread() {
        let isMissing = state.withLock { state in
            guard state.idleThreads == 0, state.threads < threadLimit, !state.turns.isEmpty else { return false }
            state.threads += 1
            return true
        }
        guard isMissing else { return arrived.signal() }
        _ = WorkerThread(name: name) { [self] stop in
            waymark_become_closer()
            while !stop.isSet { if !closeNext() { wait(stop) } }
        }
    }

    /// Returns whether there was one to close; otherwise the thread counts as idle.
    private func closeNext() -> Bool {
        let next = state.withLock { state in
            let next = state.next()
            if next == nil { state.idleThreads += 1 }
            return next
        }
        guard let next else { return false }
        // This one may take as long as it likes.
        if state.withLock({ !$0.turns.isEmpty }) { callThread() }
        waymark_close_impatiently(next.descriptor)
        state.withLock { $0.closed(of: next.user) }
        return true
    }

    private func wait(_ stop: StopFlag) {
        stop.wait(seconds: Self.longestSleep, orReadable: arrived.descriptor)
        arrived.clear()
        state.withLock { $0.idleThreads -= 1 }
    }
}
