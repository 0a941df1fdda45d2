import Linux
import Synchronization

/// Store of files in a folder. It is used on a thread that may wait for the disk.
package protocol FileStore: Sendable {
    associatedtype Failure: StoreFailure

    /// Finds the files that earlier runs have stored.
    mutating func load()
    /// Paths of the damaged files that are reported.
    mutating func damagedFiles() -> [String]
    /// Number of changes of the stored files by requests, including those of requests that failed afterwards.
    var changeCount: UInt64 { get }
}

extension FileStore {
    package mutating func damagedFiles() -> [String] { [] }
}

package typealias PlanRepository = FolderRepository<PlanStore>
package typealias TerrainRepository = FolderRepository<TerrainStore>

/// Asynchronous access to a store: work runs in order on a worker thread, and its result is passed to the reactor,
/// which never waits for a disk.
///
/// Not thread-safe: for use on the reactor's thread.
package final class FolderRepository<Store: FileStore> {
    private let name: String
    private let worker: SerialWorker
    private let box: Box

    private final class Box: Sendable {
        /// Locked during each job; only the worker thread locks it.
        let store: Mutex<Store>
        /// Damaged files after the latest job; only locked briefly.
        let damaged = Mutex<[String]>([])
        /// Number of changes after the latest job.
        let changeCount = Atomic<UInt64>(0)

        init(_ store: Store) { self.store = Mutex(store) }

        func run<Outcome>(_ work: (inout Store) -> Outcome) -> Outcome {
            store.withLock { store in
                let outcome = work(&store)
                let found = store.damagedFiles()
                damaged.withLock { $0 = found }
                changeCount.store(store.changeCount, ordering: .releasing)
                return outcome
            }
        }
    }

    /// - Parameter name: name of the thread, and subject of messages.
    private init(_ reactor: Reactor, _ store: Store, name: String) throws(SystemError) {
        self.name = name
        worker = try SerialWorker(reactor, name: name)
        let box = Box(store)
        self.box = box
        worker.perform { box.run { $0.load() } }
    }

    /// Counter that grows with each request that has changed what is stored.
    package var revision: UInt64 { box.changeCount.load(ordering: .acquiring) }

    /// Paths of damaged files, at most 20.
    package var damaged: [String] { box.damaged.withLock(\.self) }

    /// Runs `work` with the store on the worker thread.
    ///
    /// - Parameter then: called on the reactor with the result.
    package func perform<Outcome: Sendable>(
        _ work: @escaping @Sendable (inout Store) throws(Store.Failure) -> Outcome,
        then: @escaping (Result<Outcome, Store.Failure>) -> Void
    ) {
        worker.perform { [box] in
            box.run { store in Result { () throws(Store.Failure) in try work(&store) } }
        } then: { result in
            then(result)
        }
    }

    // MARK: end

    /// Asks the thread to finish the pending jobs and then to end.
    package func requestEnd() { worker.requestEnd() }

    package func end(timeoutSeconds: Double) {
        if !worker.end(timeoutSeconds: timeoutSeconds) {
            Log.warning("\(name): the disk did not respond in time; a change that was not answered may be lost")
        }
    }
}

extension PlanRepository {
    /// - Parameter folder: folder of the stored plans; nil if plans are not stored, as in a replay.
    package convenience init(_ reactor: Reactor, folder: String?) throws(SystemError) {
        try self.init(reactor, PlanStore(folder: folder), name: "plans")
    }
}

extension TerrainRepository {
    /// - Parameter folder: folder of the stored tiles; nil if they are not stored, as in a replay.
    package convenience init(_ reactor: Reactor, folder: String?) throws(SystemError) {
        try self.init(reactor, TerrainStore(folder: folder), name: "terrain")
    }
}

extension SerialWorker {
    /// Enqueues work without a result.
    func perform(_ work: @escaping @Sendable () -> Void) { perform(work) { _ in } }
}
