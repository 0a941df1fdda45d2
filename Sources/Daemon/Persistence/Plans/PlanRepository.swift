import Linux
import Synchronization

/// Asynchronous access to the stored plans: work runs in order on a worker thread, and its result is passed to the
/// reactor, which never waits for a disk.
///
/// Not thread-safe: for use on the reactor's thread.
package final class PlanRepository {
    private let worker: SerialWorker
    private let box: Box
    /// Counter that grows with every change of the stored plans; 1 once the plans of earlier runs have been found.
    package private(set) var revision: UInt64 = 0

    private final class Box: Sendable {
        /// Locked during each job; only the worker thread locks it.
        let store: Mutex<PlanStore>
        /// Damaged files after the latest job; only locked briefly.
        let damaged = Mutex<[String]>([])

        init(_ store: PlanStore) { self.store = Mutex(store) }

        /// Runs a job, and records the damaged files that it has found.
        func run<Outcome>(_ work: (inout PlanStore) -> Outcome) -> Outcome {
            store.withLock { store in
                let outcome = work(&store)
                if !store.damaged.isEmpty { store.forgetReplaced() }
                let found = store.damaged
                damaged.withLock { $0 = found }
                return outcome
            }
        }
    }

    /// - Parameter folder: folder of the stored plans; nil if plans are not stored, as in a replay.
    package init(_ reactor: Reactor, folder: String?) throws(SystemError) {
        worker = try SerialWorker(reactor, name: "plans")
        let box = Box(PlanStore(folder: folder))
        self.box = box
        worker.perform {
            box.run { $0.load() }
        } then: { [weak self] in
            self?.revision += 1
        }
    }

    /// Paths of damaged files of plans, at most 20.
    package var damaged: [String] { box.damaged.withLock(\.self) }

    /// Runs `work` with the store on the worker thread.
    ///
    /// - Parameter then: called on the reactor with the result.
    package func perform<Outcome: Sendable>(
        _ work: @escaping @Sendable (inout PlanStore) throws(PlanStore.Failure) -> Outcome,
        then: @escaping (Result<Outcome, PlanStore.Failure>) -> Void
    ) {
        worker.perform { [box] in
            box.run { store in
                Result { () throws(PlanStore.Failure) in try work(&store) }
            }
        } then: { result in
            then(result)
        }
    }

    /// Like `perform`, for a change of the stored plans.
    package func change<Outcome: Sendable>(
        _ work: @escaping @Sendable (inout PlanStore) throws(PlanStore.Failure) -> Outcome,
        then: @escaping (Result<Outcome, PlanStore.Failure>) -> Void
    ) {
        perform(work) { [weak self] result in
            if case .success = result { self?.revision += 1 }
            then(result)
        }
    }

    // MARK: end

    /// Requests the thread to finish the pending jobs and to end.
    package func requestEnd() { worker.requestEnd() }

    package func end(timeoutSeconds: Double) {
        if !worker.end(timeoutSeconds: timeoutSeconds) {
            Log.warning("plans: the disk did not respond in time; a change that was not answered may be lost")
        }
    }
}
