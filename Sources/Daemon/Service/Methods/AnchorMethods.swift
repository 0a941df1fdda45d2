import JSON
import Linux
import Persistence
import Scene
import Varlink
import WaymarkInterface

/// `org.waymark.Scene`: anchors that clients place.
struct AnchorMethods {
    let driver: EngineDriver
    let repository: PlaceRepository

    func load() {
        repository.perform { store in
            try store.anchors()
        } then: { result in
            guard case .success(let kept) = result else { return }
            for document in kept { restore(document) }
        }
    }

    private func restore(_ kept: PlaceStore.StoredAnchor) {
        do {
            let message = try SceneInterface.Anchor(try JSONReader.read(Array(kept.document.utf8)))
            let anchor = try Anchor(message, settings: driver.engine.sceneSettings.placements) { kept.id }
            try driver.engine.place(anchor, owner: nil)
        } catch {
            Log.warning("a stored anchor was ignored: \(error)")
            Log.debug("its id is \(kept.id)")
        }
    }

    func list(_ call: Call) {
        let generation = driver.engine.pose?.generation
        call.reply(
            json: SceneInterface.ListAnchors.Reply(
                anchors: driver.engine.anchors.map { $0.message(generation: generation) }))
    }

    // MARK: changes

    func place(_ request: SceneInterface.PlaceAnchor, _ call: Call) throws(VarlinkError) {
        let message = request.anchor
        if let generation = message.generation { try check(generation) }
        let before = message.id.flatMap { driver.engine.anchor(id: $0) }
        if message.way != nil, driver.engine.viewpoint == nil {
            throw .notLocalized("a way needs a start position, and none is known yet; see `waymark status`")
        }
        let anchor: Anchor
        do throws(AnchorProblem) {
            anchor = try Anchor(
                message, from: driver.engine.viewpoint?.position, settings: driver.engine.sceneSettings.placements
            ) { driver.engine.freshAnchorID() }
            try driver.engine.place(anchor, owner: call.client.number)
        } catch {
            throw VarlinkError(error)
        }
        keep(anchor, wasKept: before?.lifetime == .kept) { failure in
            if let failure {
                call.fail(VarlinkError(failure))
            } else {
                call.reply(json: SceneInterface.PlaceAnchor.Reply(id: anchor.id))
            }
        }
    }

    private func check(_ generation: Int) throws(VarlinkError) {
        guard let pose = driver.engine.pose else { throw .noPose }
        guard generation == Int(pose.generation) else {
            throw VarlinkError(SceneInterface.Failure.otherGeneration(generation: Int(pose.generation)))
        }
    }

    func remove(_ request: SceneInterface.RemoveAnchor, _ call: Call) throws(VarlinkError) {
        guard let anchor = driver.engine.removeAnchor(id: request.id) else {
            throw VarlinkError(SceneInterface.Failure.noSuchAnchor(id: request.id))
        }
        guard anchor.lifetime == .kept else { return call.reply() }
        forget(request.id) { failure in
            if let failure { call.fail(VarlinkError(failure)) } else { call.reply() }
        }
    }

    // MARK: the store

    /// Stores an anchor whose lifetime is `kept`. For any other anchor, deletes the stored anchor that it replaces, if
    /// there was one (`wasKept`).
    private func keep(_ anchor: Anchor, wasKept: Bool, then: @escaping (SceneInterface.Failure?) -> Void) {
        guard anchor.lifetime == .kept else { return wasKept ? forget(anchor.id, then: then) : then(nil) }
        var json = JSONWriter(capacity: 1024)
        anchor.message(generation: nil).write(into: &json)
        let document = PlaceStore.StoredAnchor(id: anchor.id, document: String(decoding: json.bytes, as: UTF8.self))
        repository.perform { store in
            try store.keep(document)
        } then: { [driver] result in
            guard case .failure(let error) = result else { return then(nil) }
            // An anchor that cannot be stored is not placed either.
            _ = driver.engine.removeAnchor(id: anchor.id)
            then(.cannotKeep(reason: "\(error)"))
        }
    }

    private func forget(_ id: String, then: @escaping (SceneInterface.Failure?) -> Void) {
        repository.perform { store in
            try store.removeAnchor(id)
        } then: { result in
            guard case .failure(let error) = result else { return then(nil) }
            then(.cannotKeep(reason: "\(error)"))
        }
    }
}

extension VarlinkError {
    /// Creates the error that the interface declares for the problem.
    fileprivate init(_ problem: AnchorProblem) {
        switch problem {
        case .invalid(let field, let reason):
            self.init(SceneInterface.Failure.invalidAnchor(field: field, reason: reason))
        case .cannotBeKept:
            self.init(
                SceneInterface.Failure.invalidAnchor(
                    field: "lifetime", reason: "only an anchor with geo can persist across restarts of the daemon"))
        case .noRoute: self.init(SceneInterface.Failure.noRoute)
        case .noScene: self = .noPose
        case .tooMany(let limit, let maximum):
            self.init(StatusInterface.Failure.limitExceeded(limit: OpenWord(word: limit), maximum: maximum))
        }
    }
}
