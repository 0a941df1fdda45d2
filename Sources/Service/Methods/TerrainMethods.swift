import Geodesy
import JSON
import Linux
import Persistence
import Scene
import Varlink
import WaymarkInterface

/// `org.waymark.Terrain`: imports, lists and removes tiles of terrain, and returns heights.
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
        case .list: list(call)
        case .getHeight(let request): try getHeight(request, call)
        case .remove(let request): try remove(request, call)
        }
    }

    // MARK: changes

    private func importTiles(_ request: TerrainInterface.Import, _ call: Call) throws(VarlinkError) {
        let file = try call.descriptor(request.descriptor)
        let (user, process) = (call.peer.user, call.peer.process)
        if let reached = importer.takePlace(of: user) { throw .limitExceeded(.imports, reached.maximum) }
        importer.run(file, user: user) { result in
            switch result {
            case .success(let count):
                Log.notice("terrain of client \(process): \(count) tiles")
                call.reply(json: TerrainInterface.Import.Reply(tiles: count))
            case .failure(.document(let problem)):
                Log.notice("terrain of client \(process) was rejected: \(problem)")
                call.fail(
                    VarlinkError(
                        TerrainInterface.Failure.invalidDocument(path: problem.path, reason: problem.message)))
            case .failure(.store(let failure)):
                Log.error("terrain of client \(process) is not stored: \(failure)")
                call.fail(VarlinkError(failure))
            }
        }
    }

    private func remove(_ request: TerrainInterface.Remove, _ call: Call) throws(VarlinkError) {
        var cells: [TerrainTile.Cell]?
        if let near = request.near {
            guard let position = GeodeticPosition(near) else { throw .invalidParameter("near") }
            cells = [TerrainTile.Cell(containing: position)]
        }
        let process = call.peer.process
        repository.change { [cells] store throws(TerrainStore.Failure) in
            try store.remove(cells)
        } then: { (result: Result<Int, TerrainStore.Failure>) in
            switch result {
            case .success(let count):
                Log.notice("\(count) tiles of terrain were removed by client \(process)")
                call.reply(json: TerrainInterface.Remove.Reply(tiles: count))
            case .failure(let failure): call.fail(VarlinkError(failure))
            }
        }
    }

    // MARK: reading

    private func list(_ call: Call) {
        repository.perform { store throws(Never) in
            // Two thousand of them are encoded here, where there is time for it.
            var json = JSONWriter(capacity: 4096)
            TerrainInterface.List.Reply(tiles: store.tiles.map(\.message)).write(into: &json)
            return json.bytes
        } then: { (result: Result<[UInt8], Never>) in
            call.reply(bytes: result.get())
        }
    }

    private func getHeight(_ request: TerrainInterface.GetHeight, _ call: Call) throws(VarlinkError) {
        guard let position = GeodeticPosition(request.near) else { throw .invalidParameter("near") }
        repository.perform { store throws(Never) in
            store.tile(TerrainTile.Cell(containing: position))?.height(at: position)
        } then: { (result: Result<Double?, Never>) in
            call.reply(json: TerrainInterface.GetHeight.Reply(height: result.get()))
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
        case .store(let reason): self.init(TerrainInterface.Failure.cannotStore(reason: reason))
        }
    }
}
