import Foundation
import Linux
import TestTools
import Synchronization
import Testing
import Varlink
import WaymarkClient

/// A service with the daemon's own interface descriptions and made-up answers, on a thread and a socket of its own. Calls
/// and answers that break an interface fail the test when the service ends.
final class FakeDaemon {
    static let interfaces = ["Pose", "Scene", "Status", "Recording", "Calibration"]

    let path: String
    private let problems = Problems()
    private let folder = ScratchFolder()
    private let stop = EventDescriptor()
    private let thread: WorkerThread

    static let pose =
        #"{"sequence":7,"time":{"sec":12,"nsec":500000000},"utc":"2026-05-01T12:00:00.5Z","frame":"scene","generation":1,"#
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

    init() throws {
        path = folder.path + "/socket"
        let (path, stop, listening, problems) = (path, stop, StopFlag(), problems)
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
        for name in interfaces {
            let types = try InterfaceTypes(ofDaemon: name)
            server.register(types.description) { call throws(VarlinkError) in
                let checked = CheckedCall(call: call, types: types, problems: problems)
                checked.judge(try call.decode(JSON.self), types.parameters[call.method], "parameters")
                do throws(VarlinkError) {
                    try answer(checked)
                } catch {
                    checked.judge(error)
                    throw error
                }
            }
        }
        try server.listen(on: try UnixListener(path: path, mode: 0o600))
        try reactor.watch(stop.descriptor, .reading) { _ in server.shutDown { reactor.stop() } }
        listening()
        reactor.run()
    }

    /// A call whose parameters, replies and errors are held against its interface.
    private struct CheckedCall {
        let call: Call
        let types: InterfaceTypes
        let problems: Problems

        func judge(_ value: JSON, _ kind: InterfaceTypes.Kind?, _ what: String) {
            let path = "\(call.interface).\(call.method) \(what)"
            problems.add(kind.map { types.problems(value, $0, at: path) } ?? ["\(path): not in the interface"])
        }

        /// Errors of Varlink itself have a dot in their name, and are not of the interface.
        func judge(_ error: VarlinkError) {
            guard !error.name.contains(".") else { return }
            judge(error.parameters(as: JSON.self) ?? .string("\(error)"), types.errors[error.name], error.name)
        }

        func reply(_ text: String) { call.reply(bytes: judged(text)) }

        func judged(_ text: String) -> [UInt8] {
            do {
                judge(
                    try JSONDecoder().decode(JSON.self, from: Data(text.utf8)), types.replies[call.method], "reply")
            } catch {
                problems.add(["\(call.method): \(text) cannot be read: \(error)"])
            }
            return Array(text.utf8)
        }
    }

    private struct PlaceAnchor: Decodable {
        let anchor: Anchor
    }

    private struct Past: Decodable { let time: Time? }

    private struct Refusal: Encodable {
        var begin: Time?
        var end: Time?
        let oldest = Time(sec: 5, nsec: 0)
        let newest = Time(sec: 12, nsec: 500_000_000)
    }

    /// There are poses from 5 s to 12.5 s, but none from 7 s to 9 s.
    private static func refuse(_ time: Time?) throws(VarlinkError) {
        guard let time else { return }
        if time.sec < 5 { throw VarlinkError(name: "TooEarly", encoding: Refusal()) }
        if time.sec > 12 { throw VarlinkError(name: "TooLate", encoding: Refusal()) }
        guard (7..<9).contains(time.sec) else { return }
        let gap = Refusal(begin: Time(sec: 7, nsec: 0), end: Time(sec: 9, nsec: 0))
        throw VarlinkError(name: "InGap", encoding: gap)
    }

    private struct Start: Decodable {
        let path: String
        let descriptor: Int?
    }

    private static func answer(_ checked: CheckedCall) throws(VarlinkError) {
        let call = checked.call
        switch call.method {
        case "GetPose":
            try refuse(try call.decode(Past.self).time)
            checked.reply(#"{"pose":\#(pose)}"#)
        case "EstimateAt": checked.reply(#"{"estimate":\#(estimate)}"#)
        case "GetPlace": checked.reply(#"{"place":\#(place)}"#)
        case "Subscribe":
            guard let stream = call.stream(topics: 2) else { return }
            stream.offer(EncodedMessage(parameters: checked.judged(#"{"frame":\#(frame)}"#)), topic: 1)
            stream.offer(EncodedMessage(parameters: checked.judged(#"{"pose":\#(pose)}"#)), topic: 0)
            stream.finish(bytes: checked.judged("{}"))
        case "GetStatus": checked.reply(#"{"status":\#(status)}"#)
        case "ListDevices": checked.reply(#"{"devices":[\#(device)]}"#)
        case "GetAhead":
            guard !call.wantsMore else { throw VarlinkError(name: "NotLocalized", ["reason": "no fix yet"]) }
            checked.reply(items)
        case "Start":
            let parameters = try call.decode(Start.self)
            if parameters.path == "denied" { throw .permissionDenied }
            if parameters.path == "busy" { throw VarlinkError(name: "AlreadyRecording", ["path": "walk.mcap"]) }
            if parameters.descriptor == 0, let file = call.descriptors.first {
                _ = write(file.descriptor, "recorded", 8)
            }
            checked.reply(#"{"path":"/var/lib/waymark/\#(parameters.path)"}"#)
        case "PlaceAnchor":
            let anchor = try call.decode(PlaceAnchor.self).anchor
            guard anchor.policy != "hold" || anchor.geo != nil else {
                throw VarlinkError(name: "InvalidAnchor", ["field": "policy", "reason": "requires geo"])
            }
            checked.reply(#"{"id":"\#(anchor.id ?? "1")"}"#)
        case "RemoveAnchor": throw VarlinkError(name: "NoSuchAnchor", ["id": "gone"])
        case "ListAnchors":
            checked.reply(
                #"{"anchors":[{"id":"a","geo":{"latitude":47,"longitude":8,"height":2},"heightKind":"eye","#
                    + #""lifetime":"kept","policy":"hold"}]}"#)
        case "Stop": throw VarlinkError(name: "NotRecording")
        default: throw .methodNotImplemented(call.method)
        }
    }
}
