import JSON
import Linux
import Persistence

/// Reads documents of clients. A file is read on a thread of its own, so that no document, however long or slow, delays
/// the poses, or another document.
///
/// Not thread-safe: for use on the reactor's thread.
final class DocumentReader {
    private let reactor: Reactor
    private let name: String
    /// Slots for documents that are being read or wait to be stored. Each document may be as long as
    /// `ClientDocument.maximumSize`.
    private var places: SharedPlaces

    private typealias Reading = BackgroundTask<Never, Result<[UInt8], DocumentProblem>>

    init(_ reactor: Reactor, name: String, _ limit: ShareLimit) {
        self.reactor = reactor
        self.name = name
        places = SharedPlaces(limit)
    }

    /// Takes a slot for a document of a user; returns the limit if one is reached.
    func takePlace(of user: UInt32) -> ShareLimit.Reached? { places.take(user) }

    /// Returns the slot of a document that has been read.
    func giveBackPlace(of user: UInt32) { places.giveBack(user) }

    /// Reads a document whose slot has been taken.
    ///
    /// - Parameters:
    ///   - kind: kind of the document's content, for messages.
    ///   - then: called on the reactor, immediately or later. On success, it gets the document in memory, whose slot
    ///     stays taken. On failure, it gets the problem, and the slot is returned. If the file does not answer, the
    ///     slot is returned only when the file's thread has ended.
    func read(
        _ document: ClientDocument, of kind: String, user: UInt32,
        then: @escaping (Result<ClientDocument, DocumentProblem>) -> Void
    ) {
        guard case .file = document else { return then(.success(document)) }
        var isRead = false
        let handlers = Reading.Handlers(
            end: { outcome in
                if case .success = outcome { isRead = true }
                then(outcome.map(ClientDocument.bytes))
            }, release: { [weak self] in if !isRead { self?.places.giveBack(user) } })
        do throws(SystemError) {
            _ = try Reading(
                reactor, name: name, patience: ClientDocument.patience, stuck: .failure(ClientDocument.stuck),
                handlers: handlers
            ) { context in
                Result { () throws(DocumentProblem) in try document.bytes(of: kind, context.clock) }
            }
        } catch {
            places.giveBack(user)
            then(.failure(.whole("\(error)")))
        }
    }

    /// Reads a document whose slot has been taken, and stores its content on the store's thread.
    ///
    /// - Parameters:
    ///   - add: stores the content.
    ///   - then: called on the reactor once the content is durable, or with the reason why it is not stored.
    func store<Store: FileStore, Outcome: Sendable>(
        _ document: ClientDocument, of kind: String, user: UInt32, in repository: FolderRepository<Store>,
        _ add: @escaping @Sendable ([UInt8], inout Store) throws(Store.Failure) -> Outcome,
        then: @escaping (Result<Outcome, Store.Failure>) -> Void
    ) {
        read(document, of: kind, user: user) { result in
            switch result {
            case .failure(let problem): then(.failure(.document(problem)))
            case .success(let document):
                repository.perform { store throws(Store.Failure) in
                    // Parsing a document of 16 MiB takes ten times as much memory.
                    defer { ProcessResources.returnFreeMemory() }
                    let bytes: [UInt8]
                    do throws(DocumentProblem) {
                        bytes = try document.bytes(of: kind)
                    } catch {
                        throw .document(error)
                    }
                    return try add(bytes, &store)
                } then: { [weak self] result in
                    self?.places.giveBack(user)
                    then(result)
                }
            }
        }
    }
}
