import Estimation
import EstimatorFixtures
import Geometry
import Engine
import Testing

@Suite("Search for hard iron")
struct HardIronFitTests {
    private let settings = PublicationSettings.HardIron()

    /// The window of a tracker after some walking, searched by itself until it has settled.
    private func fit(
        seed: UInt64, minutes: Double = 9, iron: Vector3, turns: Bool = true,
        _ surroundings: WornBoard.Surroundings = WornBoard.Surroundings()
    ) -> HardIronFit? {
        var board = WornBoard(seed: seed, surroundings)
        var tracker = HardIronTracker(settings: settings)
        while board.seconds < minutes * 60 { tracker.add(board.next(iron: iron, turns: turns)) }
        return tracker.fit
    }

    @Test(
        "finds hard iron in the streets, with and without a known place", arguments: [true, false], [0.0, 3, 10, 20])
    func streets(isKnown: Bool, size: Double) throws {
        let iron = Vector3(0.6, 0.3, -0.74) * size
        for seed in UInt64(1)...5 {
            let found = try #require(fit(seed: seed, iron: iron, WornBoard.Surroundings(isKnown: isKnown)))
            let error = found.hardIron - iron
            // A degree of heading, and what looking up and down contributes to the vertical.
            #expect(error.x.magnitude < 0.4 && error.z.magnitude < 0.4, "\(seed): \(error)")
            #expect(error.y.magnitude < 2, "\(seed): \(error)")
        }
    }

    @Test("its standard deviations are consistent with its errors in streets and houses", arguments: [0.0, 5, 10])
    func consistent(indoors: Double) throws {
        var squares = 0.0
        let seeds = UInt64(1)...40
        let surroundings = WornBoard.Surroundings(indoors: indoors, block: indoors > 0 ? 20 : 60)
        for seed in seeds {
            let found = try #require(fit(seed: seed, iron: Vector3(2, 1, -2), surroundings))
            let covariance = try #require(found.covariance)
            let error = found.hardIron - Vector3(2, 1, -2)
            squares += error.x * error.x / covariance[0, 0] + error.z * error.z / covariance[2, 2]
        }
        // One is consistent. The variance itself comes from a few turns: its own scatter makes the mean uncertain by a
        // half.
        let mean = squares / Double(2 * seeds.count)
        #expect(mean > 0.15 && mean < 2, "\(mean)")
    }

    @Test("is uncertain across the way while the wearer does not turn")
    func straight() throws {
        let found = try #require(fit(seed: 3, iron: .zero, turns: false, WornBoard.Surroundings(disturbance: 0)))
        let covariance = try #require(found.covariance)
        let turned = try #require(fit(seed: 3, iron: .zero, WornBoard.Surroundings(disturbance: 0))?.covariance)
        #expect(covariance[0, 0] > 4 * turned[0, 0] || covariance[2, 2] > 4 * turned[2, 2])
        #expect(try #require(found.significance) < 9)
    }

    @Test("the unit of the magnetometer does not matter", arguments: [1e-6, 1, 1000])
    func unit(scale: Double) throws {
        var board = WornBoard(seed: 1, WornBoard.Surroundings(isKnown: false))
        var tracker = HardIronTracker(settings: settings)
        while board.seconds < 540 {
            var reading = board.next(iron: Vector3(3, 0, 0))
            reading.field = reading.field * scale
            tracker.add(reading)
        }
        #expect(((try #require(tracker.fit?.hardIron) / scale) - Vector3(3, 0, 0)).norm < 1)
    }
}
