import Glibc
import Linux
import Synchronization

/// The current connection, and earlier connections until no thread reads them any more. Thread-safe.
///
/// Reading takes two atomic additions. It never waits, allocates memory or makes a system call.
final class RingConnections: Sendable {
    /// Address of the current view; 0 before the first connection.
    private let current = Atomic<UInt>(0)
    private let readers = Atomic<Int>(0)
    private let connected = Atomic<Bool>(false)
    /// Connections, newest last.
    private let kept = Mutex<[RingConnection]>([])
    private let lastProblem = Mutex<WaymarkError?>(nil)

    /// Calls `body` with the view of the current connection, which stays mapped during the call. Returns nil before the
    /// first connection.
    @inline(__always)
    func read<Value>(_ body: (UnsafePointer<RingView>) -> Value?) -> Value? {
        readers.add(1, ordering: .sequentiallyConsistent)
        defer { readers.subtract(1, ordering: .sequentiallyConsistent) }
        let address = current.load(ordering: .sequentiallyConsistent)
        return UnsafePointer<RingView>(bitPattern: address).flatMap(body)
    }

    /// Whether the connection is open.
    var isConnected: Bool { connected.load(ordering: .acquiring) }

    /// Newest connection; nil before the first connection.
    var newest: RingConnection? { kept.withLock { $0.last } }

    /// Reason why the connection ended or the last attempt to reconnect failed; nil while connected.
    var problem: WaymarkError? { lastProblem.withLock { $0 } }

    /// Makes this connection the current one for readers.
    func replace(with connection: RingConnection) {
        kept.withLock { $0.append(connection) }
        current.store(UInt(bitPattern: connection.view), ordering: .sequentiallyConsistent)
        connected.store(true, ordering: .releasing)
        lastProblem.withLock { $0 = nil }
        release()
    }

    /// Records that the current connection has ended; its poses stay readable.
    func noteEnd(_ problem: WaymarkError) {
        connected.store(false, ordering: .releasing)
        lastProblem.withLock { $0 = problem }
        release()
    }

    /// Releases earlier connections if no thread is reading. A thread that starts to read now finds the newest
    /// connection.
    private func release() {
        kept.withLock { connections in
            guard connections.count > 1, readers.load(ordering: .sequentiallyConsistent) == 0 else { return }
            connections.removeFirst(connections.count - 1)
        }
    }
}

/// Watches the connection on its own thread, and reconnects when the daemon has ended.
struct RingKeeper: Sendable {
    let path: String
    let connections: RingConnections

    /// First and longest pause between two attempts. Unit: seconds.
    private static let firstPause = 0.05
    private static let maximumPause = 2.0
    /// Time limit of an attempt. Unit: nanoseconds.
    private static let patience: Int64 = 5_000_000_000

    func run(_ stop: StopFlag) {
        var connection = connections.newest
        while let present = connection, !stop.isSet {
            // Any input means the end of the connection, since the daemon sends nothing else.
            _ = try? Waiting.wait(present.descriptor, events: POLLIN, until: nil, cancel: stop.descriptor)
            guard !stop.isSet else { return }
            connections.noteEnd(.disconnected)
            connection = reconnect(stop)
        }
    }

    /// Tries to connect until it succeeds; returns nil after a stop request.
    private func reconnect(_ stop: StopFlag) -> RingConnection? {
        var pause = Self.firstPause
        while !stop.wait(seconds: pause) {
            do throws(WaymarkError) {
                let connection = try RingConnection(
                    path: path, until: Reactor.now + Self.patience, cancel: stop.descriptor)
                connections.replace(with: connection)
                return connection
            } catch {
                connections.noteEnd(error)
                pause = min(2 * pause, Self.maximumPause)
            }
        }
        return nil
    }
}
