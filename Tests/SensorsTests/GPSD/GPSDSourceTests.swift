import Foundation
import Geometry
import Linux
import Model
import Sensors
import Testing

/// A source that listens to a feed, and what it delivered.
private final class Listener {
    let source: GPSDSource
    private let queue = MeasurementQueue(capacity: 4096, wake: EventDescriptor())
    private(set) var fixes: [GNSSFix] = []

    init(port: Int, change: (inout GPSDSource.Settings) -> Void = { _ in }) {
        var settings = GPSDSource.Settings()
        settings.host = "127.0.0.1"
        settings.port = port
        settings.silenceSeconds = 1
        change(&settings)
        source = GPSDSource(settings: settings, queue: queue)
        source.start()
    }

    /// One that waits for all reports of an epoch, between which a busy machine may take its time.
    convenience init(toWholeEpochsAt port: Int) { self.init(port: port) { $0.epochHoldNanoseconds = 10_000_000_000 } }

    deinit { source.stop() }

    var report: DeviceReport { source.reports[0] }

    /// Takes the measurements that have arrived; returns the number of fixes so far.
    @discardableResult
    func collect() -> Int {
        while let measurement = queue.pop() {
            if case .fix(let fix) = measurement { fixes.append(fix) }
        }
        return fixes.count
    }

    func waitForFixes(_ count: Int) -> Bool { eventually { collect() >= count } }

    func waitForState(_ state: DeviceReport.State, _ detail: String) -> Bool {
        eventually { report.state == state && (report.detail ?? "").contains(detail) }
    }
}

@Suite("Fixes from the real gpsd", .serialized, .enabled(if: GPSDFeed.isAvailable, "gpsd is not installed"))
struct GPSDSourceTests {
    /// What the feed said it was, by the epoch's time in tenths of a second.
    private func truth(_ file: String) throws -> [Int: [Double]] {
        let rows = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").dropFirst()
        let values = rows.map { $0.split(separator: ",").compactMap { Double($0) } }
        return Dictionary(values.map { (Int(($0[0] * 10).rounded()), $0) }, uniquingKeysWith: { $1 })
    }

    /// Differences from the feed's truth: metres of position to 1 cm, velocity to what knots and degrees of NMEA hold.
    private func expectTrue(_ fixes: [GNSSFix], _ truth: [Int: [Double]]) throws {
        for fix in fixes {
            let row = try #require(truth[Int((fix.utcSeconds ?? 0) * 10 + 0.5)])
            #expect(abs(fix.position.latitudeDegrees - row[1]) < 1e-7)
            #expect(abs(fix.position.longitudeDegrees - row[2]) < 1e-7)
            #expect(abs(fix.position.ellipsoidalHeight - row[3]) < 0.01)
            #expect(abs(try #require(fix.velocityENU.east) - row[4]) < 0.002)
            #expect(abs(try #require(fix.velocityENU.north) - row[5]) < 0.002)
        }
    }

    /// The stamp of a fix: its own time by the system clock, unless it came so late that the clock would be wrong.
    private func expectStamped(_ fix: GNSSFix) throws {
        let epoch = Int64(try #require(fix.utcSeconds) * 1e9) - BootClock.realtimeOffsetNanoseconds
        let isLate = fix.arrival.nanoseconds - epoch > FixConversion.maximumLatencyNanoseconds
        let usual = fix.arrival.nanoseconds - Int64(GPSDSource.Settings().latencySeconds * 1e9)
        #expect((fix.epoch.nanoseconds - (isLate ? usual : epoch)).magnitude < 10_000_000)
        // The feed speaks 0.1 s after the epoch; the rest is gpsd's way and the machine's.
        #expect(fix.arrival.seconds(since: fix.epoch) > 0.09)
    }

    @Test("one fix comes for each epoch, with its position, velocity, time and GST's standard deviations")
    func walking() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "waymark-truth-\(UUID()).csv").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let feed = try GPSDFeed(["--rate", "5", "--walk", "1.4", "30", "--truth", file])
        let listener = Listener(toWholeEpochsAt: feed.port)
        #expect(listener.waitForFixes(20))
        #expect(eventually { listener.report.clock == "realtime" })
        listener.source.stop()
        listener.collect()
        let fixes = listener.fixes
        let spoken = try truth(file)
        try expectTrue(fixes, spoken)
        // A feed that the machine let wait leaves epochs out.
        let times = try fixes.map { try #require($0.utcSeconds) }
        let epochs = spoken.values.map { $0[0] }.sorted().drop { $0 < times[0] - 0.001 }
        #expect(zip(times, epochs).allSatisfy { abs($0 - $1) < 0.001 })
        for fix in fixes {
            try expectStamped(fix)
            #expect(fix.hasHeight)
            #expect(fix.positionSigma == .init(east: 1.9, north: 2.1, up: 3.3))
        }
        let report = listener.report
        #expect(report.state == .streaming)
        #expect(report.detail == nil)
        #expect(report.identifier == "gpsd 127.0.0.1:\(feed.port) \(feed.device)")
        #expect(report.samples == fixes.count)
        #expect(report.gaps <= zip(times, times.dropFirst()).count { $1 - $0 > 0.45 })
        #expect(abs(try #require(report.grantedRate) - 5) < 0.1)
    }

    @Test("standing still is a velocity of zero, and gpsd's errors serve where GST is missing")
    func standing() throws {
        let feed = try GPSDFeed(["--rate", "5", "--no-gst", "--origin", "-33.9", "-70.6", "520"])
        let listener = Listener(toWholeEpochsAt: feed.port)
        #expect(listener.waitForFixes(8))
        let fix = try #require(listener.fixes.last)
        #expect(abs(fix.position.latitudeDegrees + 33.9) < 1e-7)
        #expect(abs(fix.position.longitudeDegrees + 70.6) < 1e-7)
        #expect(fix.velocityENU.east == 0)
        #expect(fix.velocityENU.north == 0)
        // gpsd makes eph = 19 m · 0.9 and epv = 23 m · 1.2 of the DOPs; at 95 % these are 2.448 and 1.960 sigmas.
        #expect(abs(try #require(fix.positionSigma.east) - 17.1 / 2.4477) < 0.001)
        #expect(abs(try #require(fix.positionSigma.up) - 27.6 / 1.95996) < 0.001)
    }

    @Test("broken sentences between the good ones change nothing")
    func garbage() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "waymark-truth-\(UUID()).csv").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let feed = try GPSDFeed(["--rate", "5", "--walk", "1.4", "200", "--garbage", "--truth", file])
        let listener = Listener(toWholeEpochsAt: feed.port)
        #expect(listener.waitForFixes(10))
        let rows = try truth(file)
        for fix in listener.fixes {
            let row = try #require(rows[Int((fix.utcSeconds ?? 0) * 10 + 0.5)])
            #expect(abs(fix.position.latitudeDegrees - row[1]) < 1e-7)
            #expect(abs(fix.position.longitudeDegrees - row[2]) < 1e-7)
            // Where gpsd took the impossible height for the ellipsoidal one, the one above the sea is left.
            #expect(fix.hasHeight)
            #expect(abs(fix.position.ellipsoidalHeight - 566) < 0.01)
        }
        #expect(Set(listener.fixes.map(\.utcSeconds)).count == listener.fixes.count)
    }

    @Test("after a restart of gpsd fixes come again")
    func restart() throws {
        let feed = try GPSDFeed(["--rate", "5"])
        let listener = Listener(port: feed.port)
        #expect(listener.waitForFixes(5))
        try feed.tell("stop")
        #expect(listener.waitForState(.searching, "gpsd"))
        // More than twice the interval of fixes is a gap.
        #expect(feed.says("unheard 3"))
        try feed.tell("start")
        #expect(feed.says("gpsd started"))
        let before = listener.collect()
        #expect(listener.waitForFixes(before + 1))
        #expect(eventually { listener.report.state == .streaming })
        #expect(listener.report.gaps >= 1)
        #expect(Set(listener.fixes.map(\.utcSeconds)).count == listener.fixes.count)
    }

    @Test("a receiver that falls silent, or loses its satellites, is shown so and comes back")
    func silence() throws {
        let feed = try GPSDFeed(["--rate", "5"])
        let listener = Listener(port: feed.port)
        #expect(listener.waitForFixes(3))
        try feed.tell("pause")
        #expect(listener.waitForState(.silent, "no data"))
        try feed.tell("resume")
        #expect(eventually { listener.report.state == .streaming && listener.report.detail == nil })
        try feed.tell("nofix")
        #expect(listener.waitForState(.streaming, "too few satellites"))
        let count = listener.collect()
        usleep(500_000)
        #expect(listener.collect() == count)
        try feed.tell("fix")
        #expect(listener.waitForFixes(count + 2))
        #expect(eventually { listener.report.detail == nil })
    }

    @Test("a receiver that is named is listened to, one that gpsd does not have is reported")
    func device() throws {
        let feed = try GPSDFeed(["--rate", "5"])
        let right = Listener(port: feed.port) { $0.device = feed.device }
        #expect(right.waitForFixes(3))
        let wrong = Listener(port: feed.port) { $0.device = "/dev/none" }
        #expect(wrong.waitForState(.searching, "gnss.device"))
        usleep(1_500_000)
        #expect(wrong.collect() == 0)
    }

    @Test("a gpsd that takes connections and then says nothing is found out")
    func stuck() throws {
        let feed = try GPSDFeed(["--rate", "5"])
        let listener = Listener(port: feed.port)
        #expect(listener.waitForFixes(2))
        try feed.tell("freeze")
        #expect(listener.waitForState(.searching, "sends no data"))
        try feed.tell("thaw")
        #expect(eventually { listener.report.state == .streaming })
    }

    @Test("without gpsd the report says what to do, and the source stops")
    func missing() throws {
        let listener = Listener(port: 1)
        #expect(listener.waitForState(.searching, "Connection refused"))
        #expect(listener.report.detail?.contains("systemctl status gpsd.socket") == true)
        listener.source.stop()
    }
}
