import Synchronization

/// A thread that does one piece of work after the other, in their order; the reactor is told what came of each.
///
/// For use from the reactor's thread.
public final class SerialWorker {
    private let reactor: Reactor
    private let queue: Queue
    private let thread: WorkerThread
    /// What is to be done on the reactor when the oldest piece of work is done, the next, and so on.
    private var completions: [() -> Void] = []

    /// The thread sleeps until it is woken. Unit: seconds.
    private static let longestSleep = 3600.0

    public init(_ reactor: Reactor, name: String) throws(SystemError) {
        self.reactor = reactor
        let queue = Queue()
        self.queue = queue
        thread = WorkerThread(name: name) { stop in
            while !stop.isSet {
                stop.wait(seconds: Self.longestSleep, orReadable: queue.arrived.descriptor)
                queue.work()
            }
            queue.work()
        }
        try reactor.watch(queue.finished.descriptor, .reading) { [unowned self] _ in finish() }
    }

    deinit { thread.requestStop() }

    /// Pieces of work that are not done.
    public var waiting: Int { completions.count }

    /// Has `work` done; returns at once.
    ///
    /// - Parameter then: called on the reactor with what `work` returned.
    public func perform<Outcome: Sendable>(
        _ work: @escaping @Sendable () -> Outcome, then: @escaping (Outcome) -> Void
    ) {
        let box = Box<Outcome>()
        completions.append { if let outcome = box.take() { then(outcome) } }
        queue.add { box.put(work()) }
    }

    /// Lets the thread do what waits, and end.
    public func requestEnd() { thread.requestStop() }

    /// Whether it ended in time.
    @discardableResult
    public func end(timeoutSeconds: Double) -> Bool { thread.stop(timeoutSeconds: timeoutSeconds) }

    private func finish() {
        for _ in 0..<queue.takeFinished() { completions.removeFirst()() }
    }

    private final class Box<Outcome: Sendable>: Sendable {
        private let content = Mutex<Outcome?>(nil)
        func put(_ outcome: Outcome) { content.withLock { $0 = outcome } }
        func take() -> Outcome? { content.withLock { $0.take() } }
    }

    private final class Queue: Sendable {
        let arrived = EventDescriptor()
        let finished = EventDescriptor()
        private let jobs = Mutex<[@Sendable () -> Void]>([])
        private let done = Mutex(0)

        func add(_ job: @escaping @Sendable () -> Void) {
            jobs.withLock { $0.append(job) }
            arrived.signal()
        }

        func work() {
            arrived.clear()
            while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                job()
                done.withLock { $0 += 1 }
                finished.signal()
            }
        }

        func takeFinished() -> Int {
            finished.clear()
            return done.withLock { count in
                defer { count = 0 }
                return count
            }
        }
    }
}
