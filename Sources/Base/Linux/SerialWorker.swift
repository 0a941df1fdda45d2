import Synchronization

/// Serial queue with a thread that runs jobs in order. It passes the result of each job to a completion on the reactor.
///
/// Not thread-safe: for use on the reactor's thread.
public final class SerialWorker {
    private let reactor: Reactor
    private let queue: Queue
    private let thread: WorkerThread
    /// Completions of the jobs that are not finished, oldest first.
    private var completions: [() -> Void] = []

    /// Time that completions may take in one turn of the reactor. Unit: ns.
    private static let portion: Int64 = 1_000_000
    /// Timeout of the thread's wait. A new job ends the wait early. Unit: s.
    private static let maximumSleep = 3600.0

    /// Starts the thread; `WorkerThread` describes `name`.
    public init(_ reactor: Reactor, name: String) throws(SystemError) {
        self.reactor = reactor
        let queue = Queue()
        self.queue = queue
        thread = WorkerThread(name: name) { stop in
            while !stop.isSet {
                stop.wait(seconds: Self.maximumSleep, orReadable: queue.arrived.descriptor)
                queue.work()
            }
            queue.work()
        }
        try reactor.watch(queue.finished.descriptor, .reading) { [unowned self] _ in finish() }
    }

    deinit { thread.requestStop() }

    /// Number of jobs whose completion has not run yet.
    public var waiting: Int { completions.count }

    /// Enqueues `work` and returns at once.
    ///
    /// - Parameter then: completion, called on the reactor with the result of `work`.
    public func perform<Outcome: Sendable>(
        _ work: @escaping @Sendable () -> Outcome, then: @escaping (Outcome) -> Void
    ) {
        let box = Box<Outcome>()
        completions.append { if let outcome = box.take() { then(outcome) } }
        queue.add { box.put(work()) }
    }

    /// Asks the thread to end after the enqueued jobs.
    public func requestEnd() { thread.requestStop() }

    /// Waits for the thread to end; returns whether it did within the time limit.
    @discardableResult
    public func end(timeoutSeconds: Double) -> Bool { thread.stop(timeoutSeconds: timeoutSeconds) }

    private func finish() {
        let end = Reactor.now + Self.portion
        queue.finished.clear()
        while queue.takeFinished() {
            completions.removeFirst()()
            guard Reactor.now < end else { return queue.finished.signal() }
        }
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

        /// Takes the completion of the next finished job, if any; returns whether there was one.
        func takeFinished() -> Bool {
            done.withLock { count in
                guard count > 0 else { return false }
                count -= 1
                return true
            }
        }
    }
}
