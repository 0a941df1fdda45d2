import FoundationEssentials
import Linux
import PlaceStore
import Scene
import Varlink

/// `org.waymark.Scene`: anchors of the clients' own, for those who may change things.
final class AnchorMethods: MethodGroup {
    private let driver: EngineDriver
    private let desk: PlaceRepository
    var authorization: Authorization

    init(driver: EngineDriver, desk: PlaceRepository, authorization: Authorization) {
        self.driver = driver
        self.desk = desk
        self.authorization = authorization
    }

    func answer(_ call: Call) throws(VarlinkError) -> Bool {
        switch call.method {
        case "PlaceAnchor": try place(call)
        case "RemoveAnchor": try remove(call)
        case "ListAnchors": list(call)
        default: return false
        }
        return true
    }

    /// Brings back those that were kept.
    func load() {
        desk.perform { store in
            try store.anchors()
        } then: { [weak self] result in
            guard let self, case .success(let kept) = result else { return }
            for document in kept { restore(document) }
        }
    }

    private func restore(_ kept: PlaceStore.StoredAnchor) {
        do {
            let message = try JSONDecoder().decode(AnchorMessage.self, from: Data(kept.document.utf8))
            try driver.place(try message.anchor(id: { kept.id }, settings: driver.sceneSettings.placements), owner: nil)
        } catch {
            Log.warning("stored anchor \(kept.id) was ignored: \(error)")
        }
    }

    private func list(_ call: Call) {
        let generation = driver.latestPose?.generation
        call.reply(["anchors": driver.anchors.map { AnchorMessage($0, generation: generation) }])
    }

    private static let notLocalized = VarlinkError(
        name: "NotLocalized",
        ["reason": "a way needs a start position, and none is known yet; see `waymark status`"])

    // MARK: changes

    private struct PlaceRequest: Decodable {
        let anchor: AnchorMessage
    }

    private func place(_ call: Call) throws(VarlinkError) {
        guard authorization.permitsChange(by: call.peer) else { throw .permissionDenied }
        var message = try call.decode(PlaceRequest.self).anchor
        if let generation = message.generation { try check(generation) }
        let before = message.id.flatMap { driver.anchor(id: $0) }
        let anchor: Anchor
        if message.way != nil, driver.viewpoint == nil { throw Self.notLocalized }
        do throws(AnchorProblem) {
            if let here = driver.viewpoint?.position { message = try message.settled(from: here) }
            anchor = try message.anchor(
                id: { driver.freshAnchorID() }, settings: driver.sceneSettings.placements)
            try driver.place(anchor, owner: call.client.number)
        } catch {
            throw VarlinkError(error)
        }
        keep(anchor, wasKept: before?.lifetime == .kept) { failure in
            if let failure { call.fail(failure) } else { call.reply(["id": anchor.id]) }
        }
    }

    private func check(_ generation: UInt32) throws(VarlinkError) {
        guard let pose = driver.latestPose else { throw SceneViewMethods.noPose }
        guard generation == pose.generation else {
            throw VarlinkError(name: "OtherGeneration", encoding: ["generation": pose.generation])
        }
    }

    private struct RemoveRequest: Decodable {
        let id: String
    }

    private func remove(_ call: Call) throws(VarlinkError) {
        guard authorization.permitsChange(by: call.peer) else { throw .permissionDenied }
        let id = try call.decode(RemoveRequest.self).id
        guard let anchor = driver.removeAnchor(id: id) else { throw VarlinkError(name: "NoSuchAnchor", ["id": id]) }
        guard anchor.lifetime == .kept else { return call.reply() }
        forget(id) { failure in
            if let failure { call.fail(failure) } else { call.reply() }
        }
    }

    // MARK: what is kept

    /// Writes an anchor that is to be kept; one that is not takes the place of one that was.
    private func keep(_ anchor: Anchor, wasKept: Bool, then: @escaping (VarlinkError?) -> Void) {
        guard anchor.lifetime == .kept else { return wasKept ? forget(anchor.id, then: then) : then(nil) }
        let document = (try? JSONEncoder().encode(AnchorMessage(anchor, generation: nil))).map {
            PlaceStore.StoredAnchor(id: anchor.id, document: String(decoding: $0, as: UTF8.self))
        }
        guard let document else { return then(Self.notKept("it has no text")) }
        desk.perform { store in
            try store.keep(document)
        } then: { [driver] result in
            guard case .failure(let error) = result else { return then(nil) }
            // Nothing half done: an anchor that cannot be kept is not there.
            _ = driver.removeAnchor(id: anchor.id)
            then(Self.notKept("\(error)"))
        }
    }

    private func forget(_ id: String, then: @escaping (VarlinkError?) -> Void) {
        desk.perform { store in
            try store.removeAnchor(id)
        } then: { result in
            guard case .failure(let error) = result else { return then(nil) }
            then(Self.notKept("\(error)"))
        }
    }

    private static func notKept(_ reason: String) -> VarlinkError {
        VarlinkError(name: "CannotKeep", ["reason": reason])
    }
}

extension VarlinkError {
    private struct Limit: Encodable {
        let limit: String
        let maximum: Int
    }

    /// Error that the interface names for the problem.
    fileprivate init(_ problem: AnchorProblem) {
        switch problem {
        case .invalid(let field, let reason): self.init(name: "InvalidAnchor", ["field": field, "reason": reason])
        case .cannotBeKept:
            self.init(
                name: "InvalidAnchor",
                ["field": "lifetime", "reason": "only an anchor with geo can persist across restarts of the daemon"])
        case .noRoute: self.init(name: "NoRoute")
        case .noScene: self = SceneViewMethods.noPose
        case .tooMany(let limit, let maximum):
            self.init(
                name: "org.waymark.Status.LimitExceeded", encoding: Limit(limit: limit, maximum: maximum))
        }
    }
}
