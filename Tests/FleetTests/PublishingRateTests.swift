import Fleet
import Geometry
import Testing

@Suite("Publishing rate")
struct PublishingRateTests {
    private let second: Int64 = 1_000_000_000

    private func position(north metres: Double) -> GeodeticPosition {
        GeodeticPosition(latitudeDegrees: 50 + metres / 111_200, longitudeDegrees: 8, ellipsoidalHeight: 0)!
    }

    /// Times at which positions at a rate are taken.
    private func taken(
        _ rate: inout PublishingRate, every interval: Double, count: Int, speed: Double, from start: Double = 0
    ) -> [Double] {
        (0..<count).compactMap { index in
            let time = start + Double(index) * interval
            return rate.takes(position(north: time * speed), at: Int64(time * 1e9)) ? time : nil
        }
    }

    @Test("Positions of a higher rate are thinned to the mean rate")
    func positionsHigherRateThinned() {
        var rate = PublishingRate(interval: 1, minimumMovement: 0, stillInterval: 300)
        let times = taken(&rate, every: 0.13, count: 1000, speed: 1)
        #expect((129...131).contains(times.count))
    }

    @Test("Positions of the same rate are all taken though they come a little early")
    func positionsSameRateAll() {
        var rate = PublishingRate(interval: 1, minimumMovement: 0, stillInterval: 300)
        let times = (0..<100).filter { index in
            let early = index.isMultiple(of: 2) ? 0.0 : -0.08
            return rate.takes(position(north: 0), at: Int64((Double(index) + early) * 1e9))
        }
        #expect(times.count == 100)
    }

    @Test("Without movement a position is taken after the still interval")
    func withoutMovementPositionTaken() {
        var rate = PublishingRate(interval: 1, minimumMovement: 10, stillInterval: 60)
        #expect(taken(&rate, every: 1, count: 181, speed: 0) == [0, 60, 120, 180])
    }

    @Test("A movement is taken as soon as it is long enough")
    func movementTakenSoonLong() {
        var rate = PublishingRate(interval: 1, minimumMovement: 10, stillInterval: 600)
        // 2 m/s: 10 m take 5 s.
        #expect(taken(&rate, every: 1, count: 21, speed: 2) == [0, 5, 10, 15, 20])
    }

    @Test("After a pause there is no burst")
    func afterPauseThereNo() {
        var rate = PublishingRate(interval: 10, minimumMovement: 0, stillInterval: 300)
        _ = taken(&rate, every: 1, count: 5, speed: 0)
        let times = taken(&rate, every: 1, count: 21, speed: 0, from: 1000)
        #expect(times.count == 3)
    }
}
