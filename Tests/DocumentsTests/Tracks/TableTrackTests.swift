import Geometry
import Model
import Testing
import Documents

@Suite("Tracks as tables")
struct TableTrackTests {
    @Test("a row of CSV has a cell for each column, empty where nothing is known")
    func csv() {
        var point = sample(1.5, utc: midsummer, latitude: -33.5, longitude: -70.25)
        point.standardDeviation = TrackDeviation(horizontalAccuracy: 1.51, verticalAccuracy: 2)
        point.velocityENU = GNSSFix.VelocityENU(east: 1, north: nil, up: -0.5)
        point.rotationENUFromBody = .identity
        point.yawAccuracyDegrees = 2.5
        let unknown = TrackSample(time: BootTime(nanoseconds: 2_000_000_000), utc: nil)
        let lines = document(.csv, [point, unknown]).split(separator: "\n")
        #expect(
            lines[1]
                == "1.500000000,2026-06-21T00:00:01.500000Z,1782000001.500000000,-33.500000000,-70.250000000,450.2500,"
                + "402.7500,1.5100,2.0000,1.0000,1.0000,2.0000,1.000000,,-0.500000,"
                + "1.000000000,0.000000000,0.000000000,0.000000000,2.5000,0")
        #expect(lines[2] == "2.000000000,,,,,,,,,,,,,,,,,,,,")
        for line in lines { #expect(line.split(separator: ",", omittingEmptySubsequences: false).count == 21) }
    }

    /// Rows of TUM without the comments.
    private func rows(_ text: String) -> [[Double]] {
        text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ").map { Double($0)! } }
    }

    @Test("TUM has metres east, north and up of the first position, and the quaternion with its real part last")
    func tum() throws {
        let quarter = Rotation3.about(Vector3(0, 0, 1), by: .pi / 2)
        var points = [sample(1, utc: midsummer), sample(2, utc: midsummer, latitude: 47.501, ellipsoidal: 460.25)]
        for index in points.indices { points[index].rotationENUFromBody = quarter }
        let found = rows(document(.tum, points))
        #expect(found[0].prefix(4) == [1_782_000_001, 0, 0, 0])
        // A thousandth of a degree of latitude is 111.2 m there.
        #expect(abs(found[1][2] - 111.2) < 0.1 && abs(found[1][1]) < 1e-3 && abs(found[1][3] - 10) < 0.01)
        #expect(found[1].suffix(4) == [0, 0, 0.707106781, 0.707106781])
    }

    @Test("TUM leaves out poses without orientation, position or height, and uses boot time where UTC is unknown")
    func tumUnknown() {
        var oriented = sample(3, utc: nil)
        oriented.rotationENUFromBody = .identity
        var nowhere = TrackSample(time: oriented.time, utc: nil)
        nowhere.rotationENUFromBody = .identity
        var flat = sample(3, utc: nil, ellipsoidal: nil, separation: nil)
        flat.rotationENUFromBody = .identity
        let text = document(.tum, [sample(2, utc: nil), nowhere, flat, oriented], hasUTC: false)
        #expect(rows(text).map { $0[0] } == [3] && text.contains("since boot"))
    }
}
