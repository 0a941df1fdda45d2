import Glibc
import Synchronization

/// Many threads that end by themselves; a `WorkerThread` needs descriptors, of which there may be too few.
final class Crowd: Sendable {
    private final class Member: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Size of a thread's stack. Unit: bytes.
    private static let stack = 1 << 18
    private let left: Atomic<Int>

    /// Starts threads.
    ///
    /// - Parameter body: gets the index of its thread.
    init(_ count: Int, body: @escaping @Sendable (Int) -> Void) {
        left = Atomic(count)
        for index in 0..<count {
            start {
                body(index)
                self.left.subtract(1, ordering: .acquiringAndReleasing)
            }
        }
    }

    private func start(_ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, Self.stack)
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Member(body)).toOpaque()
        let error = pthread_create(
            &thread, &attributes,
            { context in
                Unmanaged<Member>.fromOpaque(context!).takeRetainedValue().body()
                return nil
            }, context)
        precondition(error == 0, "no thread left")
        pthread_detach(thread)
        pthread_attr_destroy(&attributes)
    }

    /// Number of threads that have not ended.
    var running: Int { left.load(ordering: .acquiring) }

    /// Returns when all threads have ended.
    func join() {
        while running > 0 { usleep(1000) }
    }
}
