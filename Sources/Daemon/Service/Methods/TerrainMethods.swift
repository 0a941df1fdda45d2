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
    private let importer: TerrainImporter

    init(_ reactor: Reactor, _ repository: TerrainRepository) {
        self.repository = repository
        importer = TerrainImporter(reactor, repository)
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
        let file = try file(request.descriptor, call)
        let process = call.peer.process
        importer.importTiles(file, user: call.peer.user) { result in
            switch result {
            case .success(let count):
                Log.notice("terrain of client \(process): \(count) tiles")
                call.reply(json: TerrainInterface.Import.Reply(tiles: count))
            case .failure(let failure): Self.fail(call, failure)
            }
        }
    }

    private func importBuildings(_ request: TerrainInterface.ImportBuildings, _ call: Call) throws(VarlinkError) {
        let file = try file(request.descriptor, call)
        let process = call.peer.process
        importer.importBuildings(file, user: call.peer.user) { result in
            switch result {
            case .success(let counts):
                Log.notice("terrain of client \(process): \(counts.buildings) buildings")
                call.reply(
                    json: TerrainInterface.ImportBuildings.Reply(
                        buildings: counts.buildings, withoutHeight: counts.withoutHeight, unusable: counts.unusable))
            case .failure(let failure): Self.fail(call, failure)
            }
        }
    }

    /// File that came with a call; takes a place of the user's share.
    private func file(_ index: Int, _ call: Call) throws(VarlinkError) -> OwnedDescriptor {
        let file = try call.descriptor(index)
        if let reached = importer.takePlace(of: call.peer.user) { throw .limitExceeded(.imports, reached.maximum) }
        return file
    }

    private static func fail(_ call: Call, _ failure: TerrainImporter.Failure) {
        switch failure {
        case .document(let problem):
            Log.notice("terrain of client \(call.peer.process) was rejected: \(problem)")
            call.fail(
                VarlinkError(TerrainInterface.Failure.invalidDocument(path: problem.path, reason: problem.message)))
        case .store(let failure):
            Log.warning("terrain of client \(call.peer.process) is not stored: \(failure)")
            call.fail(VarlinkError(failure))
        }
    }

    private func remove(_ request: TerrainInterface.Remove, _ call: Call) throws(VarlinkError) {
        var cell: TerrainTile.Cell?
        if let near = request.near {
            guard let position = GeodeticPosition(near) else { throw .invalidParameter("near") }
            cell = TerrainTile.Cell(containing: position)
        }
        let process = call.peer.process
        repository.change { [cell] store throws(TerrainStore.Failure) in
            TerrainInterface.Remove.Reply(
                tiles: try store.remove(cell.map { [$0] }), buildings: try store.buildings.remove(cell))
        } then: { (result: Result<TerrainInterface.Remove.Reply, TerrainStore.Failure>) in
            switch result {
            case .success(let removal):
                Log.notice(
                    "\(removal.tiles) tiles of terrain and \(removal.buildings) buildings were removed by client \(process)"
                )
                call.reply(json: removal)
            case .failure(let failure): call.fail(VarlinkError(failure))
            }
        }
    }

    // MARK: reading

    private func list(_ call: Call) {
        repository.perform { store throws(TerrainStore.Failure) in
            // Two thousand tiles are encoded on this thread, where they delay no pose.
            var json = JSONWriter(capacity: 4096)
            TerrainInterface.List.Reply(tiles: store.tiles.map(\.message), buildings: try store.buildings.count())
                .write(into: &json)
            return json.bytes
        } then: { (result: Result<[UInt8], TerrainStore.Failure>) in
            switch result {
            case .success(let bytes): call.reply(bytes: bytes)
            case .failure(let failure): call.fail(VarlinkError(failure))
            }
        }
    }

    private func getHeight(_ request: TerrainInterface.GetHeight, _ call: Call) throws(VarlinkError) {
        guard let position = GeodeticPosition(request.near) else { throw .invalidParameter("near") }
        repository.perform { store throws(TerrainStore.Failure) in
            TerrainInterface.GetHeight.Reply(
                height: store.tile(TerrainTile.Cell(containing: position))?.height(at: position),
                roof: try store.buildings.roof(at: position))
        } then: { (result: Result<TerrainInterface.GetHeight.Reply, TerrainStore.Failure>) in
            switch result {
            case .success(let reply): call.reply(json: reply)
            case .failure(let failure): call.fail(VarlinkError(failure))
            }
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
        case .tooMany(let maximum): self = .limitExceeded(.terrain, maximum)
        case .tooManyBuildings(let maximum): self = .limitExceeded(.buildings, maximum)
        case .store(let reason): self.init(TerrainInterface.Failure.cannotStore(reason: reason))
        }
    }
}
