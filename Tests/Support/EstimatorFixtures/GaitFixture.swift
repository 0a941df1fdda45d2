import Estimation
import Geometry
import Model
import Simulation

/// The simulated walk through a city, as far as the tests of steps need it.
package enum GaitFixture {
    /// By which the simulated walker's steps are counted. Unit: metres.
    package static let stepLength = 0.72
    /// Standing still before the first step. Unit: seconds.
    package static let opening = 8.0

    package static func walk(
        seed: UInt64 = 1, rate: Int = 100, magneticRate: Int = 50, fixRate: Int = 1, errors: SensorErrors = .typical
    ) -> CityWalk {
        var settings = CityWalkSettings(seed: seed, errors: errors)
        settings.openingSeconds = opening
        settings.inertialRate = rate
        settings.magneticRate = magneticRate
        settings.pressureRate = 0
        settings.fixRate = fixRate
        return CityWalk(settings: settings, start: Fixture.start, magneticModel: WorldMagneticModel.wmm2025)!
    }

    /// The way over ground, the swing of the gait left out. Unit: metres.
    package static func distance(_ walk: CityWalk, from start: Double, to end: Double) -> Double {
        var distance = 0.0
        var last = walk.truth(at: Fixture.time(start)).positionENU
        // The steps of the simulation take about half a second: sampled so, their swing hardly shows.
        for k in 1...Int((end - start) / 0.5) {
            let next = walk.truth(at: Fixture.time(start + 0.5 * Double(k))).positionENU
            let displacement = next - last
            distance += Vector3(displacement.x, displacement.y, 0).norm
            last = next
        }
        return distance
    }

    /// Whether the walker goes at a full pace all the time.
    package static func isSteady(_ walk: CityWalk, from start: Double, to end: Double) -> Bool {
        stride(from: start, through: end, by: 0.5).allSatisfy {
            walk.truth(at: Fixture.time($0)).velocityENU.norm > 0.95
        }
    }

    /// The measurements of the first seconds, in order of arrival.
    package static func measurements(_ walk: CityWalk, seconds: Double) -> [Measurement] {
        var walk = walk
        let end = Fixture.time(seconds)
        var result: [Measurement] = []
        while true {
            let next = walk.next()
            if next.time > end { return result }
            result.append(next)
        }
    }
}

extension GaitSample {
    /// As perfect sensors show it.
    package init(_ truth: WalkTruth) {
        self.init(
            acceleration: truth.accelerationENU, rate: truth.rotationENUFromBody * truth.angularVelocityInBody,
            rotationENUFromBody: truth.rotationENUFromBody.matrix)
    }
}
