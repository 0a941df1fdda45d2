import Glibc
import Linux
import TestTools
import Testing
import WaymarkClient

@Suite("Offers of measurements") struct AidTests {
    private let point = Waymark.Location(latitude: 47.37, longitude: 8.54, height: 450)

    /// Whether a condition holds within some twenty seconds.
    private func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<20_000 {
            if try condition() { return true }
            usleep(1000)
        }
        return false
    }

    @Test("offers of every kind follow the interface, and are accepted", arguments: [true, false])
    func everyKind(waits: Bool) throws {
        let daemon = try FakeDaemon()
        let mount = Waymark.AidMount(leverArm: Waymark.Vector(x: 0.06, y: 0, z: -0.02))
        let aid = try Waymark.Aid(
            "camera", kinds: [.odometry, .height], mount: mount, latency: 0.01, waits: waits, path: daemon.path)
        let ahead = Waymark.Vector(x: 0, y: 0, z: -1)
        #expect(
            try aid.offerOdometry(position: ahead, orientation: Waymark.Quaternion(x: 0, y: 0, z: 0, w: 1), reset: .max)
        )
        #expect(try aid.offerPosition(point, horizontalAccuracy: 2))
        #expect(try aid.offerSighting(ahead, of: point, accuracy: 2))
        #expect(try aid.offerSighting(ahead, of: nil, accuracy: 2))
        let beacon = Waymark.Geo(latitude: 47.37, longitude: 8.54, height: 450)
        #expect(try aid.offerRange(12.5, from: beacon, accuracy: 0.2))
        #expect(try aid.offerHeading(45, accuracy: 1))
        #expect(try aid.offerHeight(450, accuracy: 1, time: Waymark.now))
        // Another connection may be served before what does not wait was read.
        let client = try Waymark.Client(path: daemon.path)
        #expect(try eventually { try client.aids().first?.accepted == 7 })
        #expect(aid.source == "camera")
        withExtendedLifetime(daemon) {}
    }

    @Test("a refusal throws the error of the interface, and the source stays open")
    func refused() throws {
        let daemon = try FakeDaemon()
        #expect(throws: WaymarkError.aid(.alreadyOpen(source: "taken"))) {
            try Waymark.Aid("taken", kinds: [.height], path: daemon.path)
        }
        let aid = try Waymark.Aid("free", kinds: [.height], path: daemon.path)
        #expect(throws: WaymarkError.aid(.outOfRange(field: "accuracy"))) { try aid.offerHeight(450, accuracy: 0) }
        #expect(throws: WaymarkError.self) { try aid.offerHeight(.nan, accuracy: 1) }
        #expect(try aid.offerHeight(450, accuracy: 1))
        withExtendedLifetime(daemon) {}
    }

    @Test("what does not wait throws no refusal") func unanswered() throws {
        let daemon = try FakeDaemon()
        let aid = try Waymark.Aid("free", kinds: [.height], waits: false, path: daemon.path)
        #expect(try aid.offerHeight(450, accuracy: 0))
        #expect(try aid.offerHeight(450, accuracy: 1))
        let client = try Waymark.Client(path: daemon.path)
        #expect(try eventually { try client.aids().first?.accepted == 1 })
        withExtendedLifetime(daemon) {}
    }

    @Test("the end of what does not wait overtakes no offer, and a later offer opens the source again")
    func closed() throws {
        let daemon = try FakeDaemon()
        let client = try Waymark.Client(path: daemon.path)
        let aid = try Waymark.Aid("free", kinds: [.height], waits: false, path: daemon.path)
        for _ in 0..<100 { try aid.offerHeight(450, accuracy: 1) }
        aid.close()
        #expect(try client.aids().first?.accepted == 100)
        aid.close()
        #expect(try eventually { try aid.offerHeight(450, accuracy: 1) })
        withExtendedLifetime(daemon) {}
    }

    @Test("after the daemon's end offers are not delivered, and after its start they are", arguments: [true, false])
    func restart(waits: Bool) throws {
        let folder = ScratchFolder()
        let path = folder.path + "/socket"
        var daemon: FakeDaemon? = try FakeDaemon(path: path)
        let aid = try Waymark.Aid("camera", kinds: [.height], waits: waits, path: path)
        #expect(try aid.offerHeight(450, accuracy: 1))
        daemon = nil
        #expect(daemon == nil)
        #expect(try eventually { try !aid.offerHeight(450, accuracy: 1) })
        #expect(try !aid.offerHeight(450, accuracy: 1))
        daemon = try FakeDaemon(path: path)
        #expect(try eventually { try aid.offerHeight(450, accuracy: 1) })
        withExtendedLifetime(daemon) {}
    }

    @Test("a time of the monotonic clock is later by the time asleep") func clocks() {
        let difference = Waymark.boottime(monotonic: 0) - BootClock.monotonicOffsetNanoseconds
        #expect(abs(difference) <= 1_000_000_000)
    }
}
