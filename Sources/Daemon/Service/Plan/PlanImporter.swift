import JSON
import Linux
import Persistence

/// Imports plans: a document's file is read on a thread of its own, and its plan is stored on the thread of the stored
/// plans, so that no document, however long, delays the poses.
///
/// Not thread-safe: for use on the reactor's thread.
final class PlanImporter {
    private let reactor: Reactor
    private let repository: PlanRepository

    /// Places for documents that wait, each of which may be as long as `ClientDocument.maximumSize`.
    private var places = SharedPlaces(ShareLimit(all: 4, ofUser: 2, reserve: 1))

    private typealias Reading = BackgroundTask<Never, Result<[UInt8], DocumentProblem>>

    /// A document, and the name of its plan.
    struct Request: Sendable {
        var document: ClientDocument
        /// ID of the plan; nil to derive it from the document.
        var id: String?
        /// Name of the plan; nil for the document's own.
        var name: String?
        /// Present time, since 1970 UTC. Unit: nanoseconds.
        var time: Int64
    }

    init(_ reactor: Reactor, _ repository: PlanRepository) {
        self.reactor = reactor
        self.repository = repository
    }

    /// Takes a place for a document of a user; returns the limit if one is reached.
    func takePlace(of user: UInt32) -> ShareLimit.Reached? { places.take(user) }

    /// Imports a document whose place has been taken.
    ///
    /// - Parameter then: called on the reactor once the plan is durable, or with the reason why it is not stored.
    func run(
        _ request: Request, user: UInt32, then: @escaping (Result<StoredPlan, PlanStore.Failure>) -> Void
    ) {
        guard case .file = request.document else { return add(request, user, then: then) }
        var isRead = false
        let handlers = Reading.Handlers(
            end: { [weak self] outcome in
                switch outcome {
                case .failure(let problem): then(.failure(.document(problem)))
                case .success(let bytes):
                    var request = request
                    request.document = .bytes(bytes)
                    isRead = true
                    self?.add(request, user, then: then)
                }
            }, release: { [weak self] in if !isRead { self?.places.giveBack(user) } })
        do throws(SystemError) {
            _ = try Reading(
                reactor, name: "read plan", patience: ClientDocument.patience, stuck: .failure(ClientDocument.stuck),
                handlers: handlers
            ) { context in
                Result { () throws(DocumentProblem) in try request.document.bytes(of: "plan", context.clock) }
            }
        } catch {
            places.giveBack(user)
            then(.failure(.document(DocumentProblem(path: "", message: "\(error)"))))
        }
    }

    private func add(
        _ request: Request, _ user: UInt32, then: @escaping (Result<StoredPlan, PlanStore.Failure>) -> Void
    ) {
        repository.change { store throws(PlanStore.Failure) in
            // Parsing a document of 16 MiB takes ten times as much memory.
            defer { ProcessResources.returnFreeMemory() }
            let bytes: [UInt8]
            do throws(DocumentProblem) {
                bytes = try request.document.bytes(of: "plan")
            } catch {
                throw .document(error)
            }
            return try store.add(bytes, id: request.id, name: request.name, imported: request.time)
        } then: { [weak self] result in
            self?.places.giveBack(user)
            then(result)
        }
    }
}
