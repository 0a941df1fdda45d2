import Foundation
import Linux
import Testing
import Varlink
import WaymarkClient
import WaymarkInterface

@Suite struct WaymarkClientTests {
    @Test("a route that is replaced while its vertices are read is read from its beginning")
    func replacedRoute() throws {
        let daemon = try FakeDaemon()
        let (route, vertices) = try Waymark.Client(path: daemon.path).routeWithVertices()
        #expect(route.vertices == 3)
        #expect(vertices.map(\.latitude) == [48, 48, 48])
        withExtendedLifetime(daemon) {}
    }

    @Test("the newest pose comes with all that is known")
    func pose() throws {
        let daemon = try FakeDaemon()
        let pose = try Waymark.Client(path: daemon.path).pose()
        #expect(pose.sequence == 7)
        #expect(pose.missed == nil)
        #expect(pose.time.seconds == 12.5)
        #expect(pose.position == Waymark.Vector(x: 1, y: 2.5, z: -3))
        #expect(pose.tracking == PoseInterface.Tracking(orientation: .tracked, position: .inferred))
        #expect(pose.geo == Waymark.Geo(latitude: 47.5, longitude: 8.25, height: 450))
        #expect(pose.course == nil)
        #expect(pose.motion == Waymark.Motion(mode: .foot, probability: 0.75))
        #expect(pose.accuracy == PoseInterface.Accuracy(horizontalAccuracy: 3.5))
        #expect(pose.state == .localized)
        #expect(pose.utc == UTCTime("2026-05-01T12:00:00.5Z"))
        #expect(pose.sources.words == ["inertial", "aNewSource"] && pose.sources.contains(.inertial))
        withExtendedLifetime(daemon) {}
    }

    @Test("a subscription gives poses and frame corrections, and ends when the daemon ends it")
    func poses() throws {
        let daemon = try FakeDaemon()
        let client = try Waymark.Client(path: daemon.path)
        let updates = try client.poses(rate: 60, frames: true)
        guard case .frame(let frame) = try updates.next() else {
            Issue.record("the frame did not come first")
            return
        }
        #expect(frame.target.yaw == 1.5)
        #expect(frame.slewEnd == Waymark.Time(sec: 13, nsec: 0))
        guard case .pose(let pose) = try updates.next() else {
            Issue.record("the pose did not come second")
            return
        }
        #expect(pose.heading == 12.5)
        #expect(try updates.next() == nil)
        // The connection is free for calls again.
        #expect(try client.pose().sequence == 7)
        #expect(try client.poses().next() == .frame(frame))
        withExtendedLifetime(daemon) {}
    }

    @Test("status, devices and what lies ahead are typed")
    func queries() throws {
        let daemon = try FakeDaemon()
        let client = try Waymark.Client(path: daemon.path)
        let status = try client.status()
        #expect(status.state == .limited)
        #expect(status.reasons == [.noGNSSData] && status.source == .sensors)
        #expect(status.motion == Waymark.Motion(mode: .rest, probability: 1))
        #expect(status.recording == nil)
        #expect(status.devices == (try client.devices()))
        #expect(status.devices.first?.channels.first?.format == "le:s16/16>>0")
        #expect(try client.ahead(limit: 5, radius: 100).first?.turn == -90)
        withExtendedLifetime(daemon) {}
    }

    @Test("anchors are placed, listed and removed, with the policy of each")
    func anchors() throws {
        let daemon = try FakeDaemon()
        let client = try Waymark.Client(path: daemon.path)
        var anchor = Waymark.Anchor(id: "a", name: "Drawing")
        anchor.policy = .known(.hold)
        #expect(throws: WaymarkError.scene(.invalidAnchor(field: "policy", reason: "requires geo"))) {
            try client.placeAnchor(anchor)
        }
        anchor.geo = Waymark.Location(latitude: 47, longitude: 8, height: 2)
        #expect(try client.placeAnchor(anchor) == "a")
        let listed = try client.anchors()
        #expect(listed.map(\.policy) == [.known(.hold)] && listed.map(\.geo) == [anchor.geo])
        #expect(throws: WaymarkError.scene(.noSuchAnchor(id: "gone"))) { try client.removeAnchor(id: "gone") }
        withExtendedLifetime(daemon) {}
    }

    @Test("behaviour 50: past poses are asked for by time and clock, and each refusal says what there is")
    func pastPoses() throws {
        let daemon = try FakeDaemon()
        let client = try Waymark.Client(path: daemon.path)
        #expect(try client.pose(at: Waymark.Time(sec: 10, nsec: 1)).sequence == 7)
        #expect(try client.pose(at: Waymark.Time(sec: 10, nsec: 1), clock: .realtime).sequence == 7)
        let (oldest, newest) = (Waymark.Time(sec: 5, nsec: 0), Waymark.Time(sec: 12, nsec: 500_000_000))
        #expect(throws: WaymarkError.pose(.tooEarly(oldest: oldest, newest: newest))) {
            try client.pose(at: Waymark.Time(sec: 4, nsec: 0))
        }
        #expect(throws: WaymarkError.pose(.tooLate(oldest: oldest, newest: newest))) {
            try client.pose(at: Waymark.Time(sec: 13, nsec: 0))
        }
        let (begin, end) = (Waymark.Time(sec: 7, nsec: 0), Waymark.Time(sec: 9, nsec: 0))
        #expect(throws: WaymarkError.pose(.inGap(begin: begin, end: end, oldest: oldest, newest: newest))) {
            try client.pose(at: Waymark.Time(sec: 8, nsec: 0))
        }
        #expect("\(newest)" == "12.500 s" && "\(Waymark.Time(sec: 1, nsec: 2_000_000))" == "1.002 s")
        withExtendedLifetime(daemon) {}
    }

    @Test("behaviour 5: a program's own fix is compared with the pose of its moment")
    func estimate() throws {
        let daemon = try FakeDaemon()
        let client = try Waymark.Client(path: daemon.path)
        let estimate = try client.estimate(
            at: Waymark.Time(sec: 12, nsec: 0), geo: Waymark.Location(latitude: 47, longitude: 8),
            horizontalAccuracy: 1,
            offset: Waymark.Vector(x: 0, y: 0, z: -2))
        #expect(estimate.fixPosition == Waymark.Vector(x: 2, y: 2, z: 2) && estimate.up == nil)
        #expect(estimate.horizontalAccuracy == 3.5 && estimate.deviations == 0.5)
        withExtendedLifetime(daemon) {}
    }

    @Test("behaviour 53: details of a place are typed")
    func place() throws {
        let daemon = try FakeDaemon()
        let place = try Waymark.Client(path: daemon.path).place(id: "node/1")
        #expect(place.details?.phone == "123" && place.details?.pictures == ["https://example.org/1.jpg"])
        #expect(place.details?.address == nil && place.properties?["aroma"] == "good")
        withExtendedLifetime(daemon) {}
    }

    @Test("plans are imported, listed and read in all of their parts, and an error says what to do")
    func plans() throws {
        let daemon = try FakeDaemon()
        let client = try Waymark.Client(path: daemon.path)
        #expect(try client.importPlan(document: Array("abc".utf8)).id == "abc")
        #expect(try client.importPlan(document: Array("abc".utf8), id: "hall").id == "hall")
        #expect(throws: WaymarkError.plan(.invalidDocument(path: "$", reason: "is empty"))) {
            try client.importPlan(document: [])
        }
        #expect(try client.plans().map(\.id) == ["hall"] && client.plan(id: "hall").vertices == 3)
        #expect(try client.planDocument(id: "hall").document == Array("{ä}".utf8))
        let near = Waymark.Location(latitude: 47, longitude: 8)
        let drawn = try client.planLines(id: "hall", level: "0", near: near, radius: 50)
        #expect(drawn.radius == 50 && drawn.lines.map(\.points) == [[0, 1.5, 2, 47]])
        let replaced = #expect(throws: WaymarkError.self) { _ = try client.planDocument(id: "replaced") }
        #expect(replaced?.description.hasSuffix("the plan was replaced while it was read: try again") == true)
        let removed = #expect(throws: WaymarkError.self) { try client.removePlan(id: "x") }
        #expect(removed?.description == "no plan with id 'x': `waymark plan list` shows ids")
        let full = WaymarkError.status(.limitExceeded(limit: .known(.plans), maximum: 1000))
        #expect(full.description.contains("`waymark plan remove ID`"))
        withExtendedLifetime(daemon) {}
    }

    @Test("recording goes into a file of the daemon's or into one that is handed over")
    func recording() throws {
        let daemon = try FakeDaemon()
        let client = try Waymark.Client(path: daemon.path)
        #expect(try client.startRecording(path: "walk.mcap") == "/var/lib/waymark/walk.mcap")
        var pipes: [Int32] = [-1, -1]
        #expect(pipe(&pipes) == 0)
        try client.startRecording(descriptor: pipes[1], name: "mine")
        close(pipes[1])
        var buffer = [UInt8](repeating: 0, count: 20)
        #expect(read(pipes[0], &buffer, 20) == 8)
        close(pipes[0])
        withExtendedLifetime(daemon) {}
    }

    @Test("errors are named, and say what to do")
    func errors() throws {
        let daemon = try FakeDaemon()
        let client = try Waymark.Client(path: daemon.path)
        #expect(throws: WaymarkError.service(.permissionDenied)) { try client.startRecording(path: "denied") }
        #expect(throws: WaymarkError.recording(.alreadyRecording(path: "walk.mcap"))) {
            try client.startRecording(path: "busy")
        }
        #expect(throws: WaymarkError.recording(.notRecording)) { try client.stopRecording() }
        #expect(throws: WaymarkError.scene(.notLocalized(reason: "no fix yet"))) { try client.aheadUpdates().next() }
        // An error reply leaves the connection as it was.
        #expect(try client.pose().sequence == 7)
        withExtendedLifetime(daemon) {}
    }

    @Test("without a daemon the error names the socket and how to start one")
    func unreachable() {
        let error = #expect(throws: WaymarkError.self) { _ = try Waymark.Client(path: "/tmp/waymark-none") }
        let path = "/tmp/waymark-none"
        #expect(error == .unreachable(path: path, reason: "No such file or directory"))
        #expect(error?.description.contains("systemctl start waymarkd") == true)
        #expect(WaymarkError.connectionDenied(path: path).description.contains("usermod") == true)
    }

    @Test("a daemon that does not answer is a timeout, and a cancelled wait ends at once")
    func timeoutAndCancel() throws {
        let directory = NSTemporaryDirectory() + "waymark-silent-\(getpid())"
        let listener = try UnixListener(path: directory, mode: 0o600)
        let silent = try Waymark.Client(path: directory, timeout: .milliseconds(20))
        #expect(throws: WaymarkError.timedOut) { try silent.pose() }
        // Its reply could still come and be taken for another's.
        #expect(throws: WaymarkError.disconnected) { try silent.pose() }

        let cancel = EventDescriptor()
        let cancelled = try Waymark.Client(path: directory, timeout: .seconds(3600), cancel: cancel.descriptor)
        cancel.signal()
        #expect(throws: WaymarkError.cancelled) { try cancelled.pose() }
        withExtendedLifetime((listener, cancel)) {}
    }

    @Test("the path is the environment's, else the system's, else a demonstration's in a folder of this user alone")
    func defaultPath() async {
        await #expect(processExitsWith: .success) {
            unsetenv("WAYMARK_SOCKET")
            unsetenv("WAYMARK_POSE_RING")
            var template = Array("/tmp/waymark-test-XXXXXX".utf8CString)
            let folder = mkdtemp(&template).map { String(cString: $0) } ?? ""
            setenv("XDG_RUNTIME_DIR", folder, 1)
            precondition(Waymark.Client.defaultPath == "/run/waymark/waymark.sock")
            precondition(Waymark.PoseRing.defaultPath == "/run/waymark/pose-ring.sock")
            close(creat(folder + "/waymark.sock", 0o600))
            precondition(Waymark.Client.defaultPath == folder + "/waymark.sock")
            precondition(Waymark.PoseRing.defaultPath == folder + "/waymark.sock.ring")
            chmod(folder, 0o770)
            precondition(Waymark.Client.defaultPath != folder + "/waymark.sock")
            unlink(folder + "/waymark.sock")
            rmdir(folder)
            setenv("WAYMARK_SOCKET", "/tmp/other.sock", 1)
            precondition(Waymark.Client.defaultPath == "/tmp/other.sock")
            exit(EXIT_SUCCESS)
        }
    }
}
