import Foundation
import Linux
import Model
import Sensors
import Testing

private enum ReceiverLogs {
    static let directory: URL = {
        let data = ProcessInfo.processInfo.environment["WAYMARK_DATA"].map { URL(filePath: $0) }
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return (data ?? package.appending(path: "../shared/data")).appending(path: "gpsd_logs").standardizedFileURL
    }()

    static var areThere: Bool { FileManager.default.fileExists(atPath: directory.path) }
}

/// What real receivers said, through the real gpsd, against what gpsd's own authors expect of it.
@Suite(
    "Real receivers' logs", .serialized,
    .enabled(if: GPSDFeed.isAvailable && ReceiverLogs.areThere, "needs gpsd and recordings"))
struct ReceiverLogTests {
    /// One place on the ground, to a millionth of a degree, a tenth of a metre.
    private struct Place: Hashable {
        var latitude: Int
        var longitude: Int

        init(_ latitude: Double, _ longitude: Double) {
            self.latitude = Int((latitude * 1e6).rounded())
            self.longitude = Int((longitude * 1e6).rounded())
        }
    }

    private struct ExpectedReport: Decodable {
        var `class`: String
        var time: String?
        var lat: Double?
        var lon: Double?
    }

    /// Positions of the reports of a log, and the number of their epochs.
    private func expected(_ log: String) throws -> (places: Set<Place>, epochs: Int) {
        let file = ReceiverLogs.directory.appending(path: log + ".log.chk")
        let lines = try Data(contentsOf: file).split(separator: 10)
        let reports = lines.compactMap { try? JSONDecoder().decode(ExpectedReport.self, from: $0) }
        let fixes = reports.filter { $0.class == "TPV" && $0.lat != nil && $0.time != nil }
        let places = fixes.compactMap { fix in fix.lat.flatMap { lat in fix.lon.map { Place(lat, $0) } } }
        return (Set(places), Set(fixes.compactMap(\.time)).count)
    }

    private func replay(_ log: String) throws -> [GNSSFix] {
        let feed = try GPSDFeed([
            "--replay", ReceiverLogs.directory.appending(path: log + ".log").path, "--baud", "57600",
        ])
        var settings = GPSDSource.Settings()
        settings.host = "127.0.0.1"
        settings.port = feed.port
        // An epoch ends with the next one, however long a busy machine holds up one of three processes between two
        // reports of it: as the expected ones show, a later gpsd than 3.22 gives the Trimble's errors with the second.
        settings.epochHoldNanoseconds = 60_000_000_000
        let queue = MeasurementQueue(capacity: 1000, wake: EventDescriptor())
        let source = GPSDSource(settings: settings, queue: queue)
        source.start()
        defer { source.stop() }
        // gpsd forgets what it read before anybody listened.
        #expect(eventually { isConnected(source) })
        usleep(300_000)
        try feed.tell("resume")
        #expect(feed.says("replayed"))
        // What gpsd had reported is read before its end is seen.
        try feed.tell("stop")
        #expect(eventually { source.reports[0].state == .searching && !isConnected(source) })
        return fixes(queue)
    }

    private func isConnected(_ source: GPSDSource) -> Bool {
        source.reports[0].detail?.contains("connected to gpsd") == true
    }

    private func fixes(_ queue: MeasurementQueue) -> [GNSSFix] {
        var fixes: [GNSSFix] = []
        while let measurement = queue.pop() {
            if case .fix(let fix) = measurement { fixes.append(fix) }
        }
        return fixes
    }

    @Test(
        "each fix lies where it should, and each epoch comes once",
        arguments: [
            "bu303-moving", "navisys-gr701w", "neo-m8n", "nmea-rtk", "trimble-lassen_iq-playacar", "ublox-zed-f9p-rtk",
        ])
    func places(log: String) throws {
        let expected = try expected(log)
        let fixes = try replay(log)
        // The first epochs go by before gpsd knows what kind of receiver speaks, more or fewer of them than in its
        // authors' run. The Trimble's date jumps between 1999 and 2006, by which epochs become others.
        #expect(fixes.count > expected.epochs / 3)
        #expect(fixes.count <= expected.epochs * 5 / 4)
        #expect(Set(fixes.map(\.utcSeconds)).count == fixes.count)
        let known = fixes.filter { fix in
            let place = Place(fix.position.latitudeDegrees, fix.position.longitudeDegrees)
            // Rounding may move a place by one millionth.
            return (-1...1).contains { d in
                (-1...1).contains { e in
                    var other = place
                    other.latitude += d
                    other.longitude += e
                    return expected.places.contains(other)
                }
            }
        }
        #expect(known.count == fixes.count)
        let sigmas = fixes.flatMap { [$0.positionSigma.east, $0.positionSigma.north, $0.positionSigma.up] }
            .compactMap { $0 }
        #expect(sigmas.count >= 2 * fixes.count)
        #expect(sigmas.allSatisfy { $0 > 0 && $0 < 10_000 })
    }

    @Test("a receiver without satellites gives no fix")
    func nothing() throws {
        #expect(try replay("bu303-nofix").isEmpty)
    }
}
