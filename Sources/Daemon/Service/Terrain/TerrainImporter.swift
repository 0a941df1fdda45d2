import Documents
import JSON
import Linux
import Persistence

/// Imports terrain and buildings: a client's file is read on a thread of its own, and its content is stored on the
/// thread of the stored terrain, so that no file, however slow, delays the poses.
///
/// Not thread-safe: for use on the reactor's thread.
final class TerrainImporter {
    /// Why nothing, or only a part, was stored.
    enum Failure: Error {
        case document(DocumentProblem)
        case store(TerrainStore.Failure)
    }

    private let reactor: Reactor
    private let repository: TerrainRepository

    /// Places for files that wait, each of which may be as long as `ClientDocument.maximumSize`.
    private var places = SharedPlaces(ShareLimit(all: 3, ofUser: 1, reserve: 1))

    private typealias Reading = BackgroundTask<Never, Result<[UInt8], DocumentProblem>>

    init(_ reactor: Reactor, _ repository: TerrainRepository) {
        self.reactor = reactor
        self.repository = repository
    }

    /// Takes a place for a file of a user; returns the limit if one is reached.
    func takePlace(of user: UInt32) -> ShareLimit.Reached? { places.take(user) }

    /// Imports tiles from a file whose place has been taken.
    ///
    /// - Parameter then: called on the reactor with the number of tiles once they are durable, or with the failure.
    func importTiles(_ file: OwnedDescriptor, user: UInt32, then: @escaping (Result<Int, Failure>) -> Void) {
        run(file, "file of tiles", user, Self.addTiles, then: then)
    }

    /// Imports buildings from a file whose place has been taken.
    ///
    /// - Parameter then: called on the reactor with the numbers of buildings once they are durable, or with the
    ///   failure.
    func importBuildings(
        _ file: OwnedDescriptor, user: UInt32, then: @escaping (Result<BuildingsDocument.Counts, Failure>) -> Void
    ) {
        run(file, "map of buildings", user, Self.addBuildings, then: then)
    }

    private func run<Outcome: Sendable>(
        _ file: OwnedDescriptor, _ kind: String, _ user: UInt32,
        _ add: @escaping @Sendable ([UInt8], inout TerrainStore) throws(Failure) -> Outcome,
        then: @escaping (Result<Outcome, Failure>) -> Void
    ) {
        let document = ClientDocument.file(file)
        var isRead = false
        let handlers = Reading.Handlers(
            end: { [weak self] outcome in
                switch outcome {
                case .failure(let problem): then(.failure(.document(problem)))
                case .success(let bytes):
                    isRead = true
                    self?.store(bytes, user, add, then: then)
                }
            }, release: { [weak self] in if !isRead { self?.places.giveBack(user) } })
        do throws(SystemError) {
            _ = try Reading(
                reactor, name: "read terrain", patience: ClientDocument.patience,
                stuck: .failure(ClientDocument.stuck), handlers: handlers
            ) { context in
                Result { () throws(DocumentProblem) in try document.bytes(of: kind, context.clock) }
            }
        } catch {
            places.giveBack(user)
            then(.failure(.document(DocumentProblem(path: "", message: "\(error)"))))
        }
    }

    private func store<Outcome: Sendable>(
        _ bytes: [UInt8], _ user: UInt32,
        _ add: @escaping @Sendable ([UInt8], inout TerrainStore) throws(Failure) -> Outcome,
        then: @escaping (Result<Outcome, Failure>) -> Void
    ) {
        repository.change { store throws(Failure) in
            defer { ProcessResources.returnFreeMemory() }
            return try add(bytes, &store)
        } then: { [weak self] (result: Result<Outcome, Failure>) in
            self?.places.giveBack(user)
            then(result)
        }
    }

    @Sendable
    private static func addTiles(_ bytes: [UInt8], to store: inout TerrainStore) throws(Failure) -> Int {
        do {
            let tiles = try TerrainFile.tiles(bytes)
            try store.add(tiles)
            return tiles.count
        } catch let problem as TerrainFile.Problem {
            throw .document(
                DocumentProblem(
                    path: "tile \(problem.tile)",
                    message: "\(problem.flaw): make the file with waymark terrain import of this version"))
        } catch let failure as TerrainStore.Failure {
            throw .store(failure)
        } catch {
            throw .document(DocumentProblem(path: "", message: "\(error)"))
        }
    }

    @Sendable
    private static func addBuildings(
        _ bytes: [UInt8], to store: inout TerrainStore
    ) throws(Failure) -> BuildingsDocument.Counts {
        let document: BuildingsDocument
        do throws(DocumentProblem) {
            document = try BuildingsDocument.read(bytes)
        } catch {
            throw .document(error)
        }
        do throws(TerrainStore.Failure) {
            try store.buildings.add(document.buildings)
        } catch {
            throw .store(error)
        }
        return document.counts
    }
}
