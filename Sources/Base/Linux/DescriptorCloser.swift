import CLinux
import Synchronization

/// Closes descriptors whose closing another process can delay, on threads that do nothing else.
///
/// A TCP connection may linger until its peer has read all of it (SO_LINGER), an unread message may hold such a
/// connection, and a file system may be a program that does not answer (FUSE). The thread that closes one of these
/// waits, so it is none that serves clients. Waits for a peer end after a millisecond; those for a file system do not.
///
/// Users take turns, and each occupies one thread at most; the last thread, and the last of the room, are for
/// privileged users alone. What waits to be closed keeps its number: who receives and accepts has to ask first whether
/// there is room for more.
public final class DescriptorCloser: Sendable {
    /// Closes connections that were accepted. There is much room, since accepting stops for all users when it is full.
    public static let ofConnections = DescriptorCloser(name: "close clients", threads: 4, capacity: 8192)
    /// Closes descriptors that came with messages.
    public static let ofReceived = DescriptorCloser(
        name: "close files", threads: 4, capacity: 1024, capacityOfUser: 256)

    /// Largest number of descriptors that wait for both, if callers ask before they add to them: one message may bring
    /// as many as the kernel permits.
    public static var largestNumber: Int {
        ofConnections.capacity + ofReceived.capacity + ofReceived.capacityOfUser + Int(WAYMARK_DESCRIPTORS_SENT)
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

        /// The turn that comes next of those for which there is a thread.
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

    /// Interval at which a thread looks for work by itself. Unit: seconds.
    private static let longestSleep = 3600.0

    /// Makes a closer without threads, which come when they are needed and stay.
    ///
    /// - Parameters:
    ///   - name: of its threads; see `WorkerThread`.
    ///   - threads: maximum number of threads.
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

    /// Sees to it that a thread comes for what waits.
    private func callThread() {
        let isMissing = state.withLock { state in
            guard state.idleThreads == 0, state.threads < threadLimit, state.turn(threadLimit) != nil else {
                return false
            }
            state.threads += 1
            // It counts as idle until it looks for work, so that no second one is started for the same.
            state.idleThreads += 1
            return true
        }
        guard isMissing else { return arrived.signal() }
        _ = WorkerThread(name: name) { [self] stop in
            let result = waymark_become_closer()
            if result != 0 { Log.warning("\(SystemError("no timer to close connections that linger", code: -result))") }
            while !stop.isSet {
                closeAll()
                stop.wait(seconds: Self.longestSleep, orReadable: arrived.descriptor)
                arrived.clear()
            }
        }
    }

    /// Closes what waits until nothing does. The thread counts as idle before and after it, and between two of them
    /// for no moment in which another would be started for what it is about to take.
    private func closeAll() {
        var closed: UInt32?
        while let next = take(after: closed) {
            // This one may take as long as it likes.
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
