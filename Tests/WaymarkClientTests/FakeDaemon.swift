import Glibc
import JSON
import Linux
import Synchronization
import TestTools
import Testing
import Varlink
import WaymarkClient
import WaymarkInterface

/// A service with the daemon's own interface descriptions and made-up answers, on a thread and a socket of its own.
/// Calls that break an interface fail the test when the service ends.
final class FakeDaemon {
    let path: String
    private let problems = Problems()
    private let folder = ScratchFolder()
    private let stop = EventDescriptor()
    private let thread: WorkerThread

    static let pose =
        #"{"sequence":7,"time":{"sec":12,"nsec":500000000},"utc":"2026-05-01T12:00:00.500000Z","frame":"scene","generation":1,"#
        + #""position":{"x":1,"y":2.5,"z":-3},"orientation":{"x":0,"y":0,"z":0,"w":1},"#
        + #""linearVelocity":{"x":0,"y":0,"z":-1.25},"angularVelocity":{"x":0,"y":0.5,"z":0},"#
        + #""tracking":{"orientation":"tracked","position":"inferred"},"#
        + #""geo":{"latitude":47.5,"longitude":8.25,"height":450},"heading":12.5,"headingReference":"trueNorth","#
        + #""motion":{"mode":"foot","probability":0.75},"#
        + #""accuracy":{"horizontalAccuracy":3.5},"state":"localized","reasons":[],"sources":["inertial","aNewSource"]}"#

    static let frame =
        #"{"sequence":1,"time":{"sec":12,"nsec":0},"generation":1,"published":{"yaw":1,"east":2,"north":3,"up":4},"#
        + #""target":{"yaw":1.5,"east":2,"north":3,"up":4},"slewEnd":{"sec":13,"nsec":0},"#
        + #""before":{"yaw":0,"east":2,"north":3,"up":4},"causes":["magnetometer"],"mainCause":"magnetometer"}"#

    static let device =
        #"{"name":"bmi160","identifier":"iio:device3","state":"streaming","channels":"#
        + #"[{"name":"accel_x","format":"le:s16/16>>0","scale":0.000598,"offset":0}],"requestedRate":200,"#
        + #""grantedRate":200,"mountMatrix":[1,0,0,0,1,0,0,0,1],"clock":"boottime","samples":10,"gaps":0,"dropped":0}"#

    static let status =
        #"{"version":"1.0","uptime":4.5,"source":"sensors","state":"limited","reasons":["noGNSSData"],"advice":["go out"],"#
        + #""sources":[],"headingReference":"none","motion":{"mode":"rest","probability":1},"readiness":"searching","readinessReasons":["noGNSSData"],"#
        + #""generation":1,"slewAngle":0,"slewDistance":0,"poses":12,"poseRate":60,"clients":1,"subscriptions":0,"#
        + #""warmStart":{"used":[],"dropped":[]},"calibration":{"sensors":[],"residuals":[]},"devices":[\#(device)]}"#

    static let items =
        #"{"items":[{"id":"a","kind":"turn","name":"Left","distance":12.5,"alongRoute":13,"bearing":270,"turn":-90}]}"#

    static let estimate =
        #"{"time":{"sec":12,"nsec":0},"generation":1,"position":{"x":1,"y":2,"z":3},"#
        + #""geo":{"latitude":47,"longitude":8,"height":450},"horizontalAccuracy":3.5,"#
        + #""fixPosition":{"x":2,"y":2,"z":2},"east":1,"north":1,"distance":1.5,"deviations":0.5}"#

    static let place =
        #"{"id":"node/1","name":"Mill","kind":"cafe","geo":{"latitude":47,"longitude":8},"heightKind":"eye","#
        + #""favorite":false,"properties":{"phone":"123","aroma":"good"},"#
        + #""details":{"phone":"123","pictures":["https://example.org/1.jpg"]}}"#

    /// - Parameter path: socket; nil for one in a folder of its own.
    init(path: String? = nil) throws {
        self.path = path ?? folder.path + "/socket"
        let (path, stop, listening, problems) = (self.path, stop, StopFlag(), problems)
        thread = WorkerThread(name: "fake daemon") { _ in
            do {
                try FakeDaemon.serve(path: path, stop: stop, problems: problems) { listening.set() }
            } catch {
                problems.add(["the server failed: \(error)"])
            }
        }
        #expect(listening.wait(seconds: 20), "the server does not listen")
    }

    deinit {
        stop.signal()
        #expect(thread.stop(timeoutSeconds: 20), "the server did not end")
        #expect(problems.all == [])
    }

    private final class Problems: Sendable {
        private let list = Mutex([String]())

        var all: [String] { list.withLock { $0 } }

        func add(_ more: [String]) { list.withLock { $0 += more } }
    }

    private static func serve(
        path: String, stop: EventDescriptor, problems: Problems, listening: () -> Void
    ) throws {
        let reactor = try Reactor()
        let server = VarlinkServer(
            reactor, information: ServiceInformation(vendor: "Example", product: "Fake", version: "1", url: ""),
            limits: ServerLimits(), limitError: "org.waymark.Status.LimitExceeded")
        func register(_ text: String, _ answer: @escaping (Call) throws(CallProblem) -> Void) throws {
            server.register(try InterfaceText(text: text).description) { call throws(VarlinkError) in
                do throws(CallProblem) {
                    try answer(call)
                } catch {
                    problems.add(["\(call.interface).\(call.method): \(error)"])
                    throw .invalidParameter("\(error)")
                }
            }
        }
        try register(PoseInterface.text) { call throws(CallProblem) in
            answer(try PoseInterface.Call(method: call.method, parameters: call.parameters), call)
        }
        try register(SceneInterface.text) { call throws(CallProblem) in
            answer(try SceneInterface.Call(method: call.method, parameters: call.parameters), call)
        }
        try register(StatusInterface.text) { call throws(CallProblem) in
            answer(try StatusInterface.Call(method: call.method, parameters: call.parameters), call)
        }
        try register(RecordingInterface.text) { call throws(CallProblem) in
            answer(try RecordingInterface.Call(method: call.method, parameters: call.parameters), call)
        }
        try register(PlanInterface.text) { call throws(CallProblem) in
            answer(try PlanInterface.Call(method: call.method, parameters: call.parameters), call)
        }
        var accepted = 0
        try register(AidInterface.text) { call throws(CallProblem) in
            answer(try AidInterface.Call(method: call.method, parameters: call.parameters), call, &accepted)
        }
        try server.listen(on: try UnixListener(path: path, mode: 0o600))
        try reactor.watch(stop.descriptor, .reading) { [unowned reactor, unowned server] _ in
            server.shutDown { reactor.stop() }
        }
        listening()
        withExtendedLifetime(server) { reactor.run() }
    }

    // MARK: answers

    private static func answer(_ method: PoseInterface.Call, _ call: Call) {
        switch method {
        case .getPose(let get):
            if let refusal = refusal(get.time) { return call.fail(refusal) }
            call.reply(text: #"{"pose":\#(pose)}"#)
        case .subscribe:
            guard let stream = call.stream(topics: 2) else { return }
            stream.offer(EncodedMessage(parameters: Array(#"{"frame":\#(frame)}"#.utf8)), topic: 1)
            stream.offer(EncodedMessage(parameters: Array(#"{"pose":\#(pose)}"#.utf8)), topic: 0)
            stream.finish()
        }
    }

    /// There are poses from 5 s to 12.5 s, but none from 7 s to 9 s.
    private static func refusal(_ time: Waymark.Time?) -> PoseInterface.Failure? {
        let (oldest, newest) = (Waymark.Time(sec: 5, nsec: 0), Waymark.Time(sec: 12, nsec: 500_000_000))
        guard let time else { return nil }
        if time.sec < 5 { return .tooEarly(oldest: oldest, newest: newest) }
        if time.sec > 12 { return .tooLate(oldest: oldest, newest: newest) }
        guard (7..<9).contains(time.sec) else { return nil }
        return .inGap(
            begin: Waymark.Time(sec: 7, nsec: 0), end: Waymark.Time(sec: 9, nsec: 0), oldest: oldest, newest: newest)
    }

    private static let routeCalls = Mutex(0)

    /// A route with a vertex more than a client asks for, which another route of the same identifier replaces after the
    /// first call.
    private static func route(from: Int, limit: Int) -> SceneInterface.GetRoute.Reply {
        let isReplaced = routeCalls.withLock { calls in
            calls += 1
            return calls > 1
        }
        let count = isReplaced ? 3 : limit + 1
        let latitude = isReplaced ? 48.0 : 47.0
        return SceneInterface.GetRoute.Reply(
            route: Waymark.Route(
                id: "route", name: "", state: .following, length: Double(count), vertices: count, turns: 0),
            vertices: (min(from, count)..<min(from + limit, count)).map { _ in
                Waymark.RouteVertex(latitude: latitude, longitude: 8)
            })
    }

    private static func answer(_ method: SceneInterface.Call, _ call: Call) {
        switch method {
        case .getRoute(let get): call.reply(json: route(from: get.from ?? 0, limit: get.limit ?? 0))
        case .estimateAt: call.reply(text: #"{"estimate":\#(estimate)}"#)
        case .getPlace: call.reply(text: #"{"place":\#(place)}"#)
        case .getAhead:
            if call.wantsMore { return call.fail(SceneInterface.Failure.notLocalized(reason: "no fix yet")) }
            call.reply(text: items)
        case .subscribeFrame:
            guard let stream = call.stream() else { return }
            stream.offer(EncodedMessage(parameters: Array(#"{"frame":\#(frame)}"#.utf8)))
            stream.finish(bytes: Array(#"{"frame":\#(frame)}"#.utf8))
        case .placeAnchor(let place):
            if place.anchor.policy == .known(.hold), place.anchor.geo == nil {
                return call.fail(SceneInterface.Failure.invalidAnchor(field: "policy", reason: "requires geo"))
            }
            call.reply(json: SceneInterface.PlaceAnchor.Reply(id: place.anchor.id ?? "1"))
        case .removeAnchor(let remove): call.fail(SceneInterface.Failure.noSuchAnchor(id: remove.id))
        case .listAnchors:
            call.reply(
                text: #"{"anchors":[{"id":"a","geo":{"latitude":47,"longitude":8,"height":2},"heightKind":"eye","#
                    + #""lifetime":"kept","policy":"hold"}]}"#)
        default: call.fail(.methodNotImplemented(call.method))
        }
    }

    private static func answer(_ method: StatusInterface.Call, _ call: Call) {
        switch method {
        case .getStatus: call.reply(text: #"{"status":\#(status)}"#)
        case .listDevices: call.reply(text: #"{"devices":[\#(device)]}"#)
        }
    }

    /// Takes heights that have an accuracy, and counts all that is offered.
    private static func answer(_ method: AidInterface.Call, _ call: Call, _ accepted: inout Int) {
        switch method {
        case .open(let open):
            if open.source == "taken" { return call.fail(AidInterface.Failure.alreadyOpen(source: open.source)) }
            call.reply(json: AidInterface.Open.Reply(offersPerSecond: 250, maximumAge: 2.5))
        case .list:
            let source = Waymark.AidSource(
                source: "camera", user: 0, kinds: WordSet([.odometry]), state: .known(.waiting), rate: 0,
                accepted: accepted, refused: [], trust: [])
            call.reply(json: AidInterface.List.Reply(sources: [source]))
        case .offerHeight(let offer) where offer.accuracy <= 0:
            call.fail(AidInterface.Failure.outOfRange(field: "accuracy"))
        case .close: call.reply(text: "{}")
        default:
            accepted += 1
            call.reply(text: "{}")
        }
    }

    /// A plan in two parts, and one that is replaced between them.
    private static func answer(_ method: PlanInterface.Call, _ call: Call) {
        func plan(_ id: String, imported: Int64 = 0) -> Waymark.Plan {
            Waymark.Plan(
                id: id, name: "Hall", levels: 1, features: 2, vertices: 3,
                extent: .init(south: 47, north: 48, west: 8, east: 9), imported: UTCTime(nanoseconds: imported))
        }
        switch method {
        case .import(let method):
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = call.descriptors.first.map { read($0.descriptor, &bytes, bytes.count) } ?? 0
            if count == 0 { return call.fail(PlanInterface.Failure.invalidDocument(path: "$", reason: "is empty")) }
            call.reply(
                json: PlanInterface.Import.Reply(
                    plan: plan(method.id ?? String(decoding: bytes[..<count], as: UTF8.self))))
        case .list: call.reply(json: PlanInterface.List.Reply(plans: [plan("hall")]))
        case .get(let get) where get.from == 0:
            call.reply(json: PlanInterface.Get.Reply(plan: plan(get.id), document: "{ä", next: 3))
        case .get(let get):
            let imported: Int64 = get.id == "replaced" ? 1_000_000_000 : 0
            call.reply(json: PlanInterface.Get.Reply(plan: plan(get.id, imported: imported), document: "}"))
        case .getLines(let request):
            let wall = PlanInterface.Line(kind: .known(.wall), points: [0, 1.5, 2, request.near.latitude])
            call.reply(json: PlanInterface.GetLines.Reply(name: "Hall", lines: [wall], radius: request.radius ?? 200))
        case .remove(let remove): call.fail(PlanInterface.Failure.noSuchPlan(id: remove.id))
        }
    }

    private static func answer(_ method: RecordingInterface.Call, _ call: Call) {
        switch method {
        case .start(let start):
            if start.path == "denied" { return call.fail(ServiceInterface.Failure.permissionDenied) }
            if start.path == "busy" {
                return call.fail(RecordingInterface.Failure.alreadyRecording(path: "walk.mcap"))
            }
            if start.descriptor == 0, let file = call.descriptors.first { _ = write(file.descriptor, "recorded", 8) }
            call.reply(json: RecordingInterface.Start.Reply(path: "/var/lib/waymark/\(start.path)"))
        case .stop: call.fail(RecordingInterface.Failure.notRecording)
        }
    }
}

extension Call {
    fileprivate func reply(text: String) { reply(bytes: Array(text.utf8)) }

    fileprivate func fail(_ failure: some InterfaceFailure) { fail(VarlinkError(failure)) }
}
