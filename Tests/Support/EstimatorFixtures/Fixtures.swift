import Estimation
import Geometry
import Model

/// A generator of its own, so that a run is the same everywhere: SplitMix64.
package struct Seeded: RandomNumberGenerator {
    package var state: UInt64

    package init(_ seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Standard normal: twelve uniforms less six have variance one and, here, tails enough.
    package mutating func gaussian() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += Double.random(in: 0..<1, using: &self) }
        return sum
    }

    package mutating func vector(_ standardDeviation: Double) -> Vector3 {
        Vector3(gaussian(), gaussian(), gaussian()) * standardDeviation
    }

    package mutating func rotation() -> Rotation3 { Rotation3.exp(vector(1.5)) }
}

extension EstimatorSettings {
    /// As if calibrations of the magnetometer and of the gyroscope's scale were on record.
    package static var calibrated: EstimatorSettings {
        var settings = EstimatorSettings()
        settings.initial.uncalibratedHardIronFraction = settings.magneticCalibration.hardIronStandardDeviation
        settings.initial.gyroScaleStandardDeviation = 0.001
        return settings
    }
}

package enum Fixture {
    package static let start = BootTime(nanoseconds: 1_000_000_000_000)

    package static func time(_ seconds: Double) -> BootTime {
        BootTime(nanoseconds: start.nanoseconds + Int64((seconds * 1e9).rounded()))
    }

    /// Of errors that all depend on each other.
    package static func covariance(_ random: inout Seeded) -> Covariance {
        var spread = Covariance()
        for i in 0..<ErrorState.count {
            for j in 0..<ErrorState.count { spread[i, j] = 0.1 * random.gaussian() }
        }
        return spread * spread.transpose
    }

    package static let zurich = GeodeticPosition(
        latitudeDegrees: 47.3769, longitudeDegrees: 8.5417, ellipsoidalHeight: 420)!

    package static let field = GeomagneticField(
        declination: 0.0629, inclination: 1.1085, horizontalIntensity: 21_582, totalIntensity: 48_380)

    package struct UniformField: GeomagneticModel {
        package init() {}

        package func field(at position: GeodeticPosition, decimalYear: Double) -> GeomagneticField? { Fixture.field }
    }

    /// A filter in the middle of its life, at a random state, with a place and a heading.
    package static func filter(_ random: inout Seeded, settings: EstimatorSettings = EstimatorSettings())
        -> ErrorStateKalmanFilter
    {
        let sample = InertialSample(
            time: start, rate: random.vector(0.5), force: Vector3(0, 0, 9.8) + random.vector(1))
        var filter = ErrorStateKalmanFilter(first: sample, settings: settings)
        filter.site = Site(position: zurich, field: field)
        filter.heading.status = .unconfirmed(.geographic)
        filter.enterSatellites()
        filter.updateRegime()
        filter.state.rotationENUFromBody = random.rotation()
        filter.state.velocity = random.vector(2)
        filter.state.position = random.vector(50)
        filter.state.gyroBias = random.vector(0.005)
        filter.state.accelerometerBias = random.vector(0.05)
        filter.state.gnssError = random.vector(2)
        filter.state.hardIron = random.vector(1)
        filter.state.gnssVelocityError = random.vector(0.1)
        filter.state.magneticOffset = 0.01 * random.gaussian()
        filter.state.stepScale = 0.05 * random.gaussian()
        filter.state.walkingDirection = 0.2 * random.gaussian()
        filter.state.velocityDelay = 0.05 * random.gaussian()
        filter.state.pressureOffset = 30 * random.gaussian()
        filter.state.gyroScale = random.vector(0.001)
        filter.accelerationMean = AccelerationMean(random.vector(2))
        return filter
    }

    /// An error with one component set.
    package static func error(_ index: Int, _ size: Double) -> Jacobian<1> {
        var error = Jacobian<1>()
        error[0, index] = size
        return error
    }

    /// The error that leads from one state to another, by the definition of the error state.
    package static func difference(_ a: NavigationState, _ b: NavigationState) -> [Double] {
        let turn = (a.rotationENUFromBody * b.rotationENUFromBody.inverse).log
        let parts = [
            turn, a.velocity - b.velocity, a.position - b.position, a.gyroBias - b.gyroBias,
            a.accelerometerBias - b.accelerometerBias, a.gnssError - b.gnssError, a.hardIron - b.hardIron,
        ]
        let slip = a.gnssVelocityError - b.gnssVelocityError
        let scale = a.gyroScale - b.gyroScale
        return parts.flatMap { [$0.x, $0.y, $0.z] } + [
            a.magneticOffset - b.magneticOffset, slip.x, slip.y, slip.z, a.stepScale - b.stepScale,
            a.walkingDirection - b.walkingDirection, a.velocityDelay - b.velocityDelay,
            a.pressureOffset - b.pressureOffset, scale.x, scale.y, scale.z,
        ]
    }
}
