import Geometry
import JSON
import Linux
import Persistence
import PlanMatching
import Varlink
import WaymarkInterface

/// `org.waymark.Plan`: imports, lists, returns, draws and removes floor plans.
struct PlanMethods {
    private let repository: PlanRepository
    private let driver: EngineDriver
    private let documents: DocumentReader

    /// Range of the number of plans in one reply.
    private static let limits = 1...PlanStore.maximumPlanCount
    /// Maximum size of the part of a document that one reply contains. Unit: bytes.
    private static let maximumPartSize = 256 << 10
    /// Permitted radii of a drawing, and the radius if the call gives none. Unit: metres.
    private static let radii = 1.0...500.0
    private static let usualRadius = 200.0

    init(_ reactor: Reactor, _ repository: PlanRepository, _ driver: EngineDriver) {
        (self.repository, self.driver) = (repository, driver)
        documents = DocumentReader(reactor, name: "read plan", ShareLimit(all: 4, ofUser: 2, reserve: 1))
    }

    func answer(_ request: PlanInterface.Call, _ call: Call) throws(VarlinkError) {
        switch request {
        case .import(let request): try importPlan(request, call)
        case .list(let request): try list(request, call)
        case .get(let request): try get(request, call)
        case .getLines(let request): try getLines(request, call)
        case .remove(let request): remove(request, call)
        }
    }

    // MARK: changes

    private func importPlan(_ request: PlanInterface.Import, _ call: Call) throws(VarlinkError) {
        let document = try ClientDocument(request.document, request.descriptor, call)
        try Self.check(request.id, "id", maximumLength: StoredPlan.maximumIDLength)
        try Self.check(request.name, "name", maximumLength: StoredPlan.maximumNameLength)
        let (user, process) = (call.peer.user, call.peer.process)
        if let reached = documents.takePlace(of: user) { throw .limitExceeded(.waitingPlans, reached.maximum) }
        let time = BootClock.nanoseconds + BootClock.realtimeOffsetNanoseconds
        documents.store(document, of: "plan", user: user, in: repository) {
            bytes, store throws(PlanStore.Failure) in
            try store.add(bytes, id: request.id, name: request.name, imported: time)
        } then: { result in
            Self.log(result, process)
            call.reply(result, VarlinkError.init) { PlanInterface.Import.Reply(plan: $0.message) }
        }
    }

    private static func check(_ text: String?, _ parameter: String, maximumLength: Int) throws(VarlinkError) {
        guard (1...maximumLength).contains(text?.utf8.count ?? 1) else { throw .invalidParameter(parameter) }
    }

    /// Ids and problems may reveal where the wearer goes, so they are logged at debug level only.
    private static func log(_ result: Result<StoredPlan, PlanStore.Failure>, _ process: Int32) {
        switch result {
        case .success(let plan):
            Log.notice("plan of client \(process): \(plan.features) features on \(plan.levels) levels")
            Log.debug("its id is \(plan.id)")
        case .failure(.document(let problem)):
            Log.notice("plan of client \(process) was rejected: the document is invalid")
            Log.debug("it is invalid: \(problem)")
        case .failure(.store(let reason)): Log.error("plan of client \(process) is not stored: \(reason)")
        case .failure: break
        }
    }

    private func remove(_ request: PlanInterface.Remove, _ call: Call) {
        let process = call.peer.process
        repository.perform { store throws(PlanStore.Failure) in
            try store.remove(request.id)
        } then: { result in
            if case .success = result { Log.notice("a plan was removed by client \(process)") }
            call.reply(result, VarlinkError.init) { PlanInterface.Remove.Reply() }
        }
    }

    // MARK: reading

    private func list(_ request: PlanInterface.List, _ call: Call) throws(VarlinkError) {
        let limit = request.limit ?? PlanStore.maximumPlanCount
        guard Self.limits.contains(limit) else { throw .invalidParameter("limit") }
        var position: GeodeticPosition?
        if let near = request.near {
            position = GeodeticPosition(near)
            guard position != nil else { throw .invalidParameter("near") }
        }
        repository.perform { [position] store throws(PlanStore.Failure) in
            PlanInterface.List.Reply(plans: store.plans(near: position).prefix(limit).map(\.message)).encoded
        } then: { result in
            call.reply(encoded: result, VarlinkError.init)
        }
    }

    private func get(_ request: PlanInterface.Get, _ call: Call) throws(VarlinkError) {
        let from = request.from ?? 0
        guard from >= 0 else { throw .invalidParameter("from") }
        repository.perform { store throws(PlanStore.Failure) in
            let (plan, document) = try store.document(request.id)
            let part = Self.part(of: document, from: from)
            return PlanInterface.Get.Reply(
                plan: plan.message, document: String(decoding: part, as: UTF8.self),
                next: part.endIndex < document.count ? part.endIndex : nil
            ).encoded
        } then: { result in
            call.reply(encoded: result, VarlinkError.init)
        }
    }

    /// Draws the plan that the engine has loaded and not the stored one, so that the drawing shows what the estimator
    /// uses.
    private func getLines(_ request: PlanInterface.GetLines, _ call: Call) throws(VarlinkError) {
        let radius = request.radius ?? Self.usualRadius
        guard Self.radii.contains(radius) else { throw .invalidParameter("radius") }
        guard let center = GeodeticPosition(request.near) else { throw .invalidParameter("near") }
        guard let plan = driver.engine.odometry.library.plans.first(where: { $0.plan.id == request.id })?.plan else {
            throw VarlinkError(PlanInterface.Failure.noSuchPlan(id: request.id))
        }
        guard let level = plan.levels.first(where: { $0.name == request.level }) else {
            throw .invalidParameter("level")
        }
        let name = plan.name
        // This runs on the worker thread, because selecting from 65 536 points takes longer than a pose may wait.
        repository.perform { _ in
            let drawn = PlanLines(level, about: center, within: radius)
            return PlanInterface.GetLines.Reply(name: name, lines: drawn.lines.map(\.message), radius: drawn.radius)
                .encoded
        } then: { result in
            call.reply(encoded: result, VarlinkError.init)
        }
    }

    /// Returns a part of a UTF-8 document, which ends with a whole character.
    private static func part(of document: [UInt8], from: Int) -> ArraySlice<UInt8> {
        let part = document.dropFirst(from).prefix(maximumPartSize)
        guard part.endIndex < document.count else { return part }
        var end = part.endIndex
        // Bytes of the form 10xxxxxx continue a character.
        while end > part.startIndex, document[end] & 0xC0 == 0x80 { end -= 1 }
        return part[..<end]
    }
}

extension VarlinkError {
    fileprivate init(_ failure: PlanStore.Failure) {
        switch failure {
        case .document(let problem):
            self.init(PlanInterface.Failure.invalidDocument(path: problem.path, reason: problem.message))
        case .unknown(let id): self.init(PlanInterface.Failure.noSuchPlan(id: id))
        case .tooMany(let maximum): self = .limitExceeded(.plans, maximum)
        case .store(let reason): self.init(PlanInterface.Failure.cannotStore(reason: reason))
        }
    }
}

extension PlanLine {
    fileprivate var message: PlanInterface.Line {
        PlanInterface.Line(kind: OpenWord(kind.message), points: points.flatMap { [$0.x, $0.y] })
    }
}

extension PlanFeature.Kind {
    fileprivate var message: PlanInterface.LineKind {
        switch self {
        case .floor: .floor
        case .room: .room
        case .wall: .wall
        case .door: .door
        case .stairs: .stairs
        case .path: .path
        case .street: .street
        }
    }
}

extension StoredPlan {
    fileprivate var message: PlanInterface.Plan {
        PlanInterface.Plan(
            id: id, name: name, levels: levels, features: features, vertices: vertices,
            extent: PlanInterface.Extent(
                south: extent.south, north: extent.north, west: extent.west,
                east: extent.east > 180 ? extent.east - 360 : extent.east),
            imported: UTCTime(nanoseconds: imported))
    }
}
