import Linux
import Synchronization

/// Asynchronous access to the place store: work runs in order on a worker thread, and its result is passed to the reactor,
/// which never waits for a disk.
///
/// Not thread-safe: for use on the reactor's thread.
package final class PlaceRepository {
    /// Error of work beyond `capacity`.
    package struct Full: Error, Equatable {
        package let maximum: Int
    }

    package let file: PlaceFile
    private let reactor: Reactor
    private let queue: Queue
    private let thread: WorkerThread
    /// Completions to call on the reactor, by the number of the job.
    private var completions: [UInt64: () -> Void] = [:]
    private var lastNumber: UInt64 = 0

    /// Maximum number of pending jobs, of all clients together.
    package static let capacity = 256

    /// - Parameter prepare: called with the store each time that it was opened.
    package init(
        _ reactor: Reactor, _ file: PlaceFile,
        prepare: @escaping @Sendable (PlaceStore) throws(DatabaseError) -> Void = { _ in }
    ) throws(SystemError) {
        self.reactor = reactor
        self.file = file
        let queue = Queue()
        self.queue = queue
        thread = WorkerThread(name: "places") { stop in
            Worker(file: file, queue: queue, prepare: prepare).run(until: stop)
        }
        try reactor.watch(queue.finished.descriptor, .reading) { [unowned self] _ in finish() }
    }

    deinit { thread.requestStop() }

    /// Counter that grows with every change of the stored places.
    package var revision: UInt64 { file.revision }

    /// Runs `work` with the store on the worker thread.
    ///
    /// - Parameter then: called on the reactor with the result of `work`, a `DatabaseError` if the store cannot be opened,
    ///   or `Full`.
    package func perform<Outcome: Sendable>(
        _ work: @escaping @Sendable (PlaceStore) throws -> Outcome,
        then: @escaping (Result<Outcome, any Error>) -> Void
    ) {
        guard completions.count < Self.capacity else {
            // Deferred: the caller does not expect the completion to run before this call returns.
            reactor.after(0) { then(.failure(Full(maximum: Self.capacity))) }
            return
        }
        let outcome = OutcomeBox<Outcome>()
        lastNumber += 1
        completions[lastNumber] = { then(outcome.take()) }
        queue.add(
            Job(number: lastNumber) { store in
                outcome.put(store.flatMap { store in Result { try work(store) } })
                return outcome.failure as? DatabaseError
            })
    }

    private func finish() {
        for number in queue.takeFinished() { completions.removeValue(forKey: number)?() }
    }

    // MARK: end

    /// Asks the thread to end after the pending jobs.
    package func requestEnd() { thread.requestStop() }

    package func end(timeoutSeconds: Double) {
        if !thread.stop(timeoutSeconds: timeoutSeconds) {
            Log.warning("\(file.path): the disk did not respond in time; uncommitted changes are lost")
        }
    }

    // MARK: shared by both threads

    fileprivate struct Job: Sendable {
        let number: UInt64
        /// Work with the store, or with the error of opening it; returns the error of the database.
        let body: @Sendable (Result<PlaceStore, any Error>) -> DatabaseError?
    }

    fileprivate final class Queue: Sendable {
        private let waiting = Mutex<[Job]>([])
        private let done = Mutex<[UInt64]>([])
        let arrived = EventDescriptor()
        let finished = EventDescriptor()

        func add(_ job: Job) {
            waiting.withLock { $0.append(job) }
            arrived.signal()
        }

        func takeWaiting() -> [Job] { waiting.withLock { exchange(&$0, with: []) } }

        func noteFinished(_ number: UInt64) {
            done.withLock { $0.append(number) }
            finished.signal()
        }

        func takeFinished() -> [UInt64] {
            finished.clear()
            return done.withLock { exchange(&$0, with: []) }
        }
    }

    private final class OutcomeBox<Outcome: Sendable>: Sendable {
        private let content = Mutex<Result<Outcome, any Error>?>(nil)

        func put(_ result: Result<Outcome, any Error>) { content.withLock { $0 = result } }

        func take() -> Result<Outcome, any Error> {
            guard let result = content.withLock({ $0.take() }) else {
                preconditionFailure("a finished job has an outcome")
            }
            return result
        }

        var failure: (any Error)? {
            content.withLock {
                guard case .failure(let error) = $0 else { return nil }
                return error
            }
        }
    }
}

/// State of the worker thread: opens the store, again after a failure, and runs the jobs in order.
private final class Worker {
    private let file: PlaceFile
    private let queue: PlaceRepository.Queue
    private let prepare: @Sendable (PlaceStore) throws(DatabaseError) -> Void
    private var store: PlaceStore?
    private var lastFailure: (error: DatabaseError, time: Int64)?

    private static let log = LogLimiter("places", lines: 1, interval: 60_000_000_000)
    /// Timeout of the thread's wait, which a job interrupts. Unit: seconds.
    private static let longestSleep = 3600.0
    /// Minimum interval between two attempts to open the store. Unit: nanoseconds.
    private static let retryInterval: Int64 = 5_000_000_000

    init(
        file: PlaceFile, queue: PlaceRepository.Queue,
        prepare: @escaping @Sendable (PlaceStore) throws(DatabaseError) -> Void
    ) {
        self.file = file
        self.queue = queue
        self.prepare = prepare
    }

    func run(until stop: StopFlag) {
        _ = openStore()
        while !stop.isSet {
            stop.wait(seconds: Self.longestSleep, orReadable: queue.arrived.descriptor)
            queue.arrived.clear()
            work()
        }
        work()
    }

    private func work() {
        for job in queue.takeWaiting() {
            let failure = job.body(openStore().mapError { $0 })
            queue.noteFinished(job.number)
            if let failure { checkDamage(failure) }
        }
    }

    private func openStore() -> Result<PlaceStore, DatabaseError> {
        if let store { return .success(store) }
        let now = Reactor.now
        if let last = lastFailure, now - last.time < Self.retryInterval { return .failure(last.error) }
        do throws(DatabaseError) {
            let opened = try PlaceStore(file)
            try prepare(opened)
            store = opened
            lastFailure = nil
            return .success(opened)
        } catch {
            Self.log.write(.error, "the place database is not available: \(error)")
            lastFailure = (error, now)
            return .failure(error)
        }
    }

    /// Closes a store after an error that means damage; the file is checked when it is next opened.
    private func checkDamage(_ failure: DatabaseError) {
        guard failure.meansDamage, store != nil else { return }
        Self.log.write(.error, "\(failure)")
        file.noteDamage()
        store = nil
    }
}

private func exchange<Value>(_ place: inout Value, with new: Value) -> Value {
    let old = place
    place = new
    return old
}
