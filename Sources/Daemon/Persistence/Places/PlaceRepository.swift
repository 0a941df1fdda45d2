import Linux
import Synchronization
import SQLite

/// Gives asynchronous access to the place store. Work runs in order on a worker thread, and its result is passed to the
/// reactor, which never waits for a disk.
///
/// Not thread-safe: for use on the reactor's thread.
package final class PlaceRepository {
    /// Error of a job beyond `capacity`.
    package struct Full: Error, Equatable {
        package let maximum: Int
    }

    package let file: PlaceFile
    private let reactor: Reactor
    private let worker: SerialWorker
    private let connection: StoreConnection
    /// Number of jobs whose completion has not run yet.
    private var pending = 0

    /// Maximum number of pending jobs, of all clients together.
    package static let capacity = 256
    /// Interval of the checks whether damaged copies have been deleted. Unit: nanoseconds.
    package static let copiesInterval: Int64 = 5_000_000_000

    /// - Parameters:
    ///   - copiesInterval: interval of the check for deleted copies, while there are copies. Unit: nanoseconds.
    ///   - prepare: called with the store each time that it is opened for writing.
    package init(
        _ reactor: Reactor, _ file: PlaceFile, copiesInterval: Int64 = PlaceRepository.copiesInterval,
        prepare: @escaping @Sendable (PlaceStore) throws(DatabaseError) -> Void = { _ in }
    ) throws(SystemError) {
        self.reactor = reactor
        self.file = file
        let connection = StoreConnection(file: file, prepare: prepare)
        self.connection = connection
        worker = try SerialWorker(reactor, name: "places")
        // The store is opened now, so that damage is found and reported at the start, and the first client need not
        // wait for the opening.
        worker.perform { connection.open() }
        reactor.every(copiesInterval) { [weak self] in self?.forgetDeletedCopies() }
    }

    /// Checks for deleted copies on the worker thread; if that thread is busy, the check is left to the next interval.
    private func forgetDeletedCopies() {
        guard worker.waiting == 0, !file.damagedCopies.isEmpty else { return }
        worker.perform { [file] in file.forgetDeletedCopies() }
    }

    /// Counter that grows with every change of the stored places.
    package var revision: UInt64 { file.revision }

    /// Runs `work` with the store on the worker thread.
    ///
    /// - Parameter then: called on the reactor with the result of `work`, a `DatabaseError` if the store cannot be
    ///   opened, or `Full`.
    package func perform<Outcome: Sendable>(
        _ work: @escaping @Sendable (PlaceStore) throws -> Outcome,
        then: @escaping (Result<Outcome, any Error>) -> Void
    ) {
        guard pending < Self.capacity else {
            // The completion is deferred, because the caller does not expect it to run before this call returns.
            reactor.after(0) { then(.failure(Full(maximum: Self.capacity))) }
            return
        }
        pending += 1
        worker.perform { [connection] in
            connection.run(work)
        } then: { [weak self] result in
            self?.pending -= 1
            then(result)
        }
    }

    // MARK: end

    /// Asks the thread to finish the pending jobs, to close the store (which moves the log into the file) and to end.
    package func requestEnd() {
        worker.perform { [connection] in connection.close() }
        worker.requestEnd()
    }

    package func end(timeoutSeconds: Double) {
        if !worker.end(timeoutSeconds: timeoutSeconds) {
            Log.warning("\(file.path): the disk did not respond in time; uncommitted changes are lost")
        }
    }
}

/// Store of the worker thread. It is opened at the start, and again after a failure or damage.
private final class StoreConnection: Sendable {
    private struct State {
        var store: PlaceStore?
        var lastFailure: (error: DatabaseError, time: Int64)?
    }

    private let file: PlaceFile
    private let prepare: @Sendable (PlaceStore) throws(DatabaseError) -> Void
    /// Locked during each job; only the worker thread locks it.
    private let state = Mutex(State())

    private static let log = LogLimiter("places", lines: 1, interval: 60_000_000_000)
    /// Minimum interval between two attempts to open the store. Unit: nanoseconds.
    private static let retryInterval: Int64 = 5_000_000_000

    init(file: PlaceFile, prepare: @escaping @Sendable (PlaceStore) throws(DatabaseError) -> Void) {
        self.file = file
        self.prepare = prepare
    }

    /// Opens the store; a failure is logged, and the next job tries again.
    func open() {
        state.withLock { _ = try? open(&$0) }
    }

    func close() {
        state.withLock { $0.store = nil }
    }

    func run<Outcome: Sendable>(_ work: @Sendable (PlaceStore) throws -> Outcome) -> Result<Outcome, any Error> {
        state.withLock { state in
            do {
                return .success(try work(open(&state)))
            } catch {
                if let error = error as? DatabaseError { checkDamage(error, &state) }
                return .failure(error)
            }
        }
    }

    private func open(_ state: inout State) throws(DatabaseError) -> PlaceStore {
        if let store = state.store, !file.mustBeReopened { return store }
        state.store = nil
        let now = Reactor.now
        if let last = state.lastFailure, now - last.time < Self.retryInterval { throw last.error }
        do throws(DatabaseError) {
            let store = try PlaceStore(file)
            if !store.isReadOnly { try prepare(store) }
            state = State(store: store)
            return store
        } catch {
            Self.log.write(.error, "the place database is not available: \(error)")
            state.lastFailure = (error, now)
            throw error
        }
    }

    /// Closes a store after an error that means damage; the file is checked when it is next opened.
    private func checkDamage(_ error: DatabaseError, _ state: inout State) {
        guard error.meansDamage, state.store != nil else { return }
        Self.log.write(.error, "\(error)")
        file.noteDamage()
        state.store = nil
    }
}
