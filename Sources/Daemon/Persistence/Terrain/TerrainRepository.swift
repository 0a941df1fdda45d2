import Linux
import Synchronization

/// Asynchronous access to the stored terrain: work runs in order on a worker thread, and its result is passed to the
/// reactor, which never waits for a disk.
///
/// Not thread-safe: for use on the reactor's thread.
package final class TerrainRepository {
    private let worker: SerialWorker
    private let box: Box
    /// Counter that grows with every change of the stored tiles; 1 once the tiles of earlier runs have been found.
    package private(set) var revision: UInt64 = 0

    private final class Box: Sendable {
        /// Locked during each job; only the worker thread locks it.
        let store: Mutex<TerrainStore>
        init(_ store: TerrainStore) { self.store = Mutex(store) }
    }

    /// - Parameter folder: folder of the stored tiles; nil if they are not stored, as in a replay.
    package init(_ reactor: Reactor, folder: String?) throws(SystemError) {
        worker = try SerialWorker(reactor, name: "terrain")
        let box = Box(TerrainStore(folder: folder))
        self.box = box
        worker.perform {
            box.store.withLock { $0.load() }
        } then: { [weak self] in
            self?.revision += 1
        }
    }

    /// Runs `work` with the store on the worker thread.
    ///
    /// - Parameter then: called on the reactor with the result.
    package func perform<Outcome: Sendable, Failure: Error>(
        _ work: @escaping @Sendable (inout TerrainStore) throws(Failure) -> Outcome,
        then: @escaping (Result<Outcome, Failure>) -> Void
    ) {
        worker.perform { [box] in
            box.store.withLock { store in Result { () throws(Failure) in try work(&store) } }
        } then: { result in
            then(result)
        }
    }

    /// Like `perform`, for a change of the stored tiles. A change that fails may have changed some tiles nevertheless.
    package func change<Outcome: Sendable, Failure: Error>(
        _ work: @escaping @Sendable (inout TerrainStore) throws(Failure) -> Outcome,
        then: @escaping (Result<Outcome, Failure>) -> Void
    ) {
        perform(work) { [weak self] result in
            self?.revision += 1
            then(result)
        }
    }

    // MARK: end

    /// Requests the thread to finish the pending jobs and to end.
    package func requestEnd() { worker.requestEnd() }

    package func end(timeoutSeconds: Double) {
        if !worker.end(timeoutSeconds: timeoutSeconds) {
            Log.warning("terrain: the disk did not respond in time; a change that was not answered may be lost")
        }
    }
}
