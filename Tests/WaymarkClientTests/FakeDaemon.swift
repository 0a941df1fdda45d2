import Foundation
import Linux
import Scratch
import Testing
import Varlink

/// A service with the daemon's own interface descriptions and made-up answers, on a thread and a socket of its own.
final class FakeDaemon {
    let path: String
    private let folder = ScratchFolder()
    private let stop = EventDescriptor()
    private let thread: WorkerThread

    static let pose =
        #"{"sequence":7,"time":{"sec":12,"nsec":500000000},"utc":"2026-05-01T12:00:00.5Z","frame":"scene","generation":1,"#
        + #""position":{"x":1,"y":2.5,"z":-3},"orientation":{"x":0,"y":0,"z":0,"w":1},"#
        + #""linearVelocity":{"x":0,"y":0,"z":-1.25},"angularVelocity":{"x":0,"y":0.5,"z":0},"#
        + #""tracking":{"orientation":"tracked","position":"inferred"},"#
        + #""geo":{"latitude":47.5,"longitude":8.25,"height":450},"heading":12.5,"headingReference":"trueNorth","#
        + #""accuracy":{"horizontalAccuracy":3.5},"state":"localized","reasons":[],"sources":["inertial","aNewSource"]}"#

    static let frame =
        #"{"sequence":1,"time":{"sec":12,"nsec":0},"generation":1,"published":{"yaw":1,"east":2,"north":3,"up":4},"#
        + #""target":{"yaw":1.5,"east":2,"north":3,"up":4},"slewEnd":{"sec":13,"nsec":0}}"#

    static let device =
        #"{"name":"bmi160","identifier":"iio:device3","state":"streaming","channels":"#
        + #"[{"name":"accel_x","format":"le:s16/16>>0","scale":0.000598,"offset":0}],"requestedRate":200,"#
        + #""grantedRate":200,"mountMatrix":[1,0,0,0,1,0,0,0,1],"clock":"boottime","samples":10,"gaps":0,"dropped":0}"#

    static let status =
        #"{"version":"1.0","uptime":4.5,"source":"sensors","state":"limited","reasons":["noGNSSData"],"sources":[],"#
        + #""headingReference":"none","generation":1,"slewAngle":0,"slewDistance":0,"poses":12,"poseRate":60,"#
        + #""clients":1,"subscriptions":0,"devices":[\#(device)]}"#

    static let items =
        #"{"items":[{"id":"a","kind":"turn","name":"Left","distance":12.5,"alongRoute":13,"bearing":270,"turn":-90}]}"#

    init() throws {
        path = folder.path + "/socket"
        let (path, stop, listening) = (path, stop, StopFlag())
        thread = WorkerThread(name: "fake daemon") { _ in
            do {
                try FakeDaemon.serve(path: path, stop: stop) { listening.set() }
            } catch {
                Issue.record("the server failed: \(error)")
            }
        }
        #expect(listening.wait(seconds: 20), "the server does not listen")
    }

    deinit {
        stop.signal()
        #expect(thread.stop(timeoutSeconds: 20), "the server did not end")
    }

    private static func serve(path: String, stop: EventDescriptor, listening: () -> Void) throws {
        let reactor = try Reactor()
        let server = VarlinkServer(
            reactor, information: ServiceInformation(vendor: "Example", product: "Fake", version: "1", url: ""),
            limits: ServerLimits(), limitError: "org.waymark.Status.LimitExceeded")
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Service/Interfaces")
        for name in ["Pose", "Scene", "Status", "Recording"] {
            let file = folder.appending(path: "org.waymark.\(name).varlink")
            let description = try InterfaceDescription(text: String(contentsOf: file, encoding: .utf8))
            server.register(description) { call throws(VarlinkError) in try answer(call) }
        }
        try server.listen(on: try UnixListener(path: path, mode: 0o600))
        try reactor.watch(stop.descriptor, .reading) { _ in server.shutDown { reactor.stop() } }
        listening()
        reactor.run()
    }

    private struct Start: Decodable {
        let path: String
        let descriptor: Int?
    }

    private static func answer(_ call: Call) throws(VarlinkError) {
        switch call.method {
        case "GetPose": call.reply(bytes: Array(#"{"pose":\#(pose)}"#.utf8))
        case "Subscribe":
            guard let stream = call.stream(topics: 2) else { return }
            stream.offer(EncodedMessage(parameters: Array(#"{"frame":\#(frame)}"#.utf8)), topic: 1)
            stream.offer(EncodedMessage(parameters: Array(#"{"pose":\#(pose)}"#.utf8)), topic: 0)
            stream.finish()
        case "GetStatus": call.reply(bytes: Array(#"{"status":\#(status)}"#.utf8))
        case "ListDevices": call.reply(bytes: Array(#"{"devices":[\#(device)]}"#.utf8))
        case "GetAhead":
            guard !call.wantsMore else { throw VarlinkError(name: "NotLocalized", ["reason": "no fix yet"]) }
            call.reply(bytes: Array(items.utf8))
        case "Start":
            let parameters = try call.decode(Start.self)
            if parameters.path == "denied" { throw .permissionDenied }
            if parameters.path == "busy" { throw VarlinkError(name: "AlreadyRecording", ["path": "walk.mcap"]) }
            if parameters.descriptor == 0, let file = call.descriptors.first {
                _ = write(file.descriptor, "recorded", 8)
            }
            call.reply(["path": "/var/lib/waymark/" + parameters.path])
        case "Stop": throw VarlinkError(name: "NotRecording")
        default: throw .methodNotImplemented(call.method)
        }
    }
}
