import Documents
import Geometry
import JSON
import Linux
import Persistence
import Scene
import Varlink
import WaymarkInterface

/// `org.waymark.Terrain`: imports, lists and removes terrain and buildings, and returns heights.
final class TerrainMethods {
    private let repository: TerrainRepository
    private let documents: DocumentReader

    init(_ reactor: Reactor, _ repository: TerrainRepository) {
        self.repository = repository
        documents = DocumentReader(reactor, name: "read terrain", ShareLimit(all: 3, ofUser: 1, reserve: 1))
    }

    func answer(_ request: TerrainInterface.Call, _ call: Call) throws(VarlinkError) {
        switch request {
        case .import(let request): try importTiles(request, call)
        case .importBuildings(let request): try importBuildings(request, call)
        case .list: list(call)
        case .getHeight(let request): try getHeight(request, call)
        case .remove(let request): try remove(request, call)
        }
    }

    // MARK: changes

    private func importTiles(_ request: TerrainInterface.Import, _ call: Call) throws(VarlinkError) {
        try importFile(request.descriptor, "file of tiles", call) { bytes, store throws(TerrainStore.Failure) in
            let tiles: [TerrainTile]
            do throws(TerrainFile.Problem) {
                tiles = try TerrainFile.tiles(bytes)
            } catch {
                throw .document(
                    DocumentProblem(
                        path: "tile \(error.tile)",
                        message: "\(error.flaw): make the file with waymark terrain import of this version"))
            }
            try store.add(tiles)
            return tiles.count
        } then: { count in
            ("\(count) tiles", TerrainInterface.Import.Reply(tiles: count))
        }
    }

    private func importBuildings(_ request: TerrainInterface.ImportBuildings, _ call: Call) throws(VarlinkError) {
        try importFile(request.descriptor, "map of buildings", call) { bytes, store throws(TerrainStore.Failure) in
            let document: BuildingsDocument
            do throws(DocumentProblem) {
                document = try BuildingsDocument.read(bytes)
            } catch {
                throw .document(error)
            }
            try store.buildings.add(document.buildings)
            return document.counts
        } then: { counts in
            (
                "\(counts.buildings) buildings",
                TerrainInterface.ImportBuildings.Reply(
                    buildings: counts.buildings, withoutHeight: counts.withoutHeight, unusable: counts.unusable)
            )
        }
    }

    /// Imports the file that came with a call.
    ///
    /// - Parameter then: returns what was stored, for the journal, and the reply.
    private func importFile<Outcome: Sendable, Reply: JSONWritable>(
        _ index: Int, _ kind: String, _ call: Call,
        _ add: @escaping @Sendable ([UInt8], inout TerrainStore) throws(TerrainStore.Failure) -> Outcome,
        then: @escaping (Outcome) -> (stored: String, reply: Reply)
    ) throws(VarlinkError) {
        let file = try call.descriptor(index)
        let (user, process) = (call.peer.user, call.peer.process)
        if let reached = documents.takePlace(of: user) { throw .limitExceeded(.imports, reached.maximum) }
        documents.store(.file(file), of: kind, user: user, in: repository, add) { result in
            switch result {
            case .success(let outcome):
                let (stored, reply) = then(outcome)
                Log.notice("terrain of client \(process): \(stored)")
                call.reply(json: reply)
            case .failure(.document(let problem)):
                Log.notice("terrain of client \(process) was rejected: \(problem)")
                call.fail(VarlinkError(TerrainStore.Failure.document(problem)))
            case .failure(let failure):
                Log.warning("terrain of client \(process) is not stored: \(failure)")
                call.fail(VarlinkError(failure))
            }
        }
    }

    private func remove(_ request: TerrainInterface.Remove, _ call: Call) throws(VarlinkError) {
        var cell: TerrainTile.Cell?
        if let near = request.near {
            guard let position = GeodeticPosition(near) else { throw .invalidParameter("near") }
            cell = TerrainTile.Cell(containing: position)
        }
        let process = call.peer.process
        repository.perform { [cell] store throws(TerrainStore.Failure) in
            TerrainInterface.Remove.Reply(
                tiles: try store.remove(cell.map { [$0] }), buildings: try store.buildings.remove(cell))
        } then: { result in
            call.reply(result, VarlinkError.init) { removal in
                Log.notice(
                    "\(removal.tiles) tiles of terrain and \(removal.buildings) buildings were removed by client "
                        + "\(process)")
                return removal
            }
        }
    }

    // MARK: reading

    private func list(_ call: Call) {
        repository.perform { store throws(TerrainStore.Failure) in
            TerrainInterface.List.Reply(tiles: store.tiles.map(\.message), buildings: try store.buildings.count())
                .encoded
        } then: { result in
            call.reply(encoded: result, VarlinkError.init)
        }
    }

    private func getHeight(_ request: TerrainInterface.GetHeight, _ call: Call) throws(VarlinkError) {
        guard let position = GeodeticPosition(request.near) else { throw .invalidParameter("near") }
        repository.perform { store throws(TerrainStore.Failure) in
            TerrainInterface.GetHeight.Reply(
                height: store.tile(TerrainTile.Cell(containing: position))?.height(at: position),
                roof: try store.buildings.roof(at: position))
        } then: { result in
            call.reply(result, VarlinkError.init) { $0 }
        }
    }
}

extension TerrainFile.Header {
    fileprivate var message: TerrainInterface.Tile {
        TerrainInterface.Tile(south: cell.southDegrees, west: cell.westDegrees, rows: rows, columns: columns)
    }
}

extension VarlinkError {
    fileprivate init(_ failure: TerrainStore.Failure) {
        switch failure {
        case .document(let problem):
            self.init(TerrainInterface.Failure.invalidDocument(path: problem.path, reason: problem.message))
        case .tooMany(let maximum): self = .limitExceeded(.terrain, maximum)
        case .tooManyBuildings(let maximum): self = .limitExceeded(.buildings, maximum)
        case .store(let reason): self.init(TerrainInterface.Failure.cannotStore(reason: reason))
        }
    }
}
