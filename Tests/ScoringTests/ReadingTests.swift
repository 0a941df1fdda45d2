import Geometry
import Scoring
import Testing

@Suite("The readings of a track")
struct ReadingTests {
    /// Points at 10 Hz from 45 s on, where the readings begin.
    private func points(_ seconds: Double, _ change: (Double, inout TrackPoint) -> Void) -> [TrackPoint] {
        (0...Int(seconds * 10)).map { index in
            let time = Double(index) / 10
            var point = TrackPoint(seconds: Track.skippedSeconds + time, distance: time)
            change(time, &point)
            return point
        }
    }

    @Test("a spell is the longest time without a break")
    func spells() {
        let track = points(30) { time, point in
            let isWrong = (5...8).contains(time) || (10...16).contains(time)
            point.error = Vector2(isWrong ? 10 : 0, 0)
            point.radius = 2
        }
        #expect(abs((Track(points: track).readings[.farWrong] ?? 0) - 6) < 1e-9)
        #expect(longestSpell(track) { _ in false } == 0)
        #expect(longestSpell([]) { _ in true } == 0)
    }

    @Test("a position is wrong beyond three radii and three metres, a yaw beyond three deviations and three degrees")
    func limits() {
        func readings(error: Double, radius: Double) -> Readings {
            Track(
                points: points(10) { _, point in
                    (point.error, point.radius) = (Vector2(0, error), radius)
                    (point.yawError, point.yawAccuracy) = (-error, radius)
                }
            ).readings
        }
        #expect(readings(error: 2.9, radius: 0.1)[.farWrong] == 0)
        #expect(readings(error: 8.9, radius: 3)[.farWrong] == 0)
        #expect(readings(error: 9.1, radius: 3)[.farWrong] ?? 0 > 9)
        #expect(readings(error: 2.9, radius: 0.1)[.yawWrong] == 0)
        #expect(readings(error: 9.1, radius: 3)[.yawWrong] ?? 0 > 9)
    }

    @Test("a radius of twelve times the error is a spell of its own kind")
    func wide() {
        func wide(error: Double, radius: Double) -> Double? {
            Track(points: points(10) { _, point in (point.error, point.radius) = (Vector2(error, 0), radius) })
                .readings[.wide]
        }
        #expect(wide(error: 1, radius: 11.9) == 0)
        #expect(wide(error: 0.1, radius: 9.9) == 0)
        #expect(wide(error: 1, radius: 12.1) ?? 0 > 9)
    }

    @Test("speed and tilt are wrong by their own limits")
    func motion() {
        var track = Track(points: points(10) { time, point in (point.speed, point.tilt) = (5.5, time < 4 ? 3.5 : 0) })
        track.fastest = 2
        #expect(track.readings[.runsAway] ?? 0 > 9)
        #expect(abs((track.readings[.tilted] ?? 0) - 3.9) < 1e-9)
        track.fastest = 3
        #expect(track.readings[.runsAway] == 0)
    }

    @Test("coverage is the share of time within the published accuracy")
    func coverage() {
        let track = points(9.9) { time, point in
            (point.error, point.radius) = (Vector2(3, 4), time < 2.45 ? 5.1 : 4.9)
            (point.yawError, point.yawAccuracy) = (-2, time < 4.95 ? 2.1 : 1.9)
        }
        let readings = Track(points: track).readings
        #expect(readings[.withinRadius] == 0.25 && readings[.yawWithin] == 0.5)
        #expect(abs((readings[.horizontal] ?? 0) - 5) < 1e-12 && abs((readings[.yaw] ?? 0) - 2) < 1e-12)
    }

    @Test("an outage is read at its end, and is no part of the other figures")
    func outages() {
        let start = Track.skippedSeconds
        let track = points(60) { time, point in
            let drift = (20...40).contains(time) ? (time - 20) / 2 : 0
            (point.error, point.radius) = (Vector2(drift, 1), 2)
        }
        let readings = Track(points: track, outages: [(start + 20)...(start + 40)]).readings
        #expect(abs((readings[.horizontal] ?? 0) - 1) < 1e-12)
        #expect(abs((readings[.outageEnd] ?? 0) - 101.0.squareRoot()) < 1e-9)
        #expect(abs((readings[.outageEndRadii] ?? 0) - 101.0.squareRoot() / 2) < 1e-9)
        // Ten metres of error over twenty metres of way.
        #expect(abs((readings[.reckoned] ?? 0) - 50) < 1e-9)
    }

    @Test("what is not known is neither wrong nor a reading")
    func unknown() {
        let readings = Track(points: points(10) { _, _ in }).readings
        #expect(readings[.horizontal] == nil && readings[.yawWithin] == nil && readings[.outageEnd] == nil)
        #expect(Reading.allCases.filter(\.isSpell).allSatisfy { readings[$0] == 0 })
    }

    @Test("a spread is that of the mean")
    func spread() throws {
        let spread = try #require(Spread([1, 2, 3, 4]))
        // The variance of the values is 5/3, of their mean a quarter of that.
        #expect(spread.mean == 2.5 && abs(spread.standardDeviation - (5.0 / 12).squareRoot()) < 1e-12)
        #expect(Spread([7])?.standardDeviation == 0 && Spread([]) == nil)
    }

    @Test("heading and inclination are the two parts of an attitude error")
    func attitude() {
        let truth = Rotation3.exp(Vector3(0.3, -0.5, 0.7))
        let error = AttitudeError(of: Rotation3.aboutZ(0.2) * truth, against: truth)
        #expect(abs(error.heading - 0.2 * 180 / .pi) < 1e-9 && error.inclination < 1e-5)
        let tilted = AttitudeError(of: Rotation3.exp(Vector3(0.1, 0, 0)) * truth, against: truth)
        #expect(abs(tilted.heading) < 1e-9 && abs(tilted.inclination - 0.1 * 180 / .pi) < 1e-6)
        #expect(abs(tilted.total - tilted.inclination) < 1e-6)
    }

    @Test("a track that is turned and shifted fits its marks, and a longer one does not")
    func marks() throws {
        let marks = [Vector2(0, 0), Vector2(10, 0), Vector2(10, 10)]
        let turned = [Vector2(5, 5), Vector2(5, 15), Vector2(-5, 15)]
        let scores = try #require(PublicRecording.scores(of: turned, against: marks))
        #expect(scores.map(\.name) == ["end_percent", "aligned_percent", "distance_ratio"])
        // Ends at (−10, 10) instead of (10, 10).
        #expect(abs(scores[0].value - 100) < 1e-9 && scores[1].value < 1e-6 && abs(scores[2].value - 1) < 1e-12)
        #expect(PublicRecording.scores(of: [], against: []) == nil)
    }
}
