import Geometry
import Glibc

/// Time-varying errors of an accelerometer or gyroscope.
struct InertialErrorState {
    private var random: RandomSource
    private var drift: GaussMarkov
    private let bias: Vector3
    let scale: Vector3
    private let noise: Double

    /// Direction of a constant bias, which has a component along every axis.
    private static let askew = Vector3(2, -1, 2) / 3

    init(_ errors: SensorErrors.Inertial, rate: Int, random: consuming RandomSource) {
        var random = random
        scale = random.normalVector(errors.scale)
        bias = random.normalVector(errors.turnOnBias) + Self.askew * errors.constantBias
        // White noise of density n, sampled at the rate f, has the standard deviation n·√f.
        noise = errors.noiseDensity * Double(rate).squareRoot()
        drift = GaussMarkov(
            standardDeviation: Vector3(errors.biasDrift, errors.biasDrift, errors.biasDrift),
            timeConstant: errors.biasTimeConstant, interval: 1 / Double(rate), from: &random)
        self.random = random
    }

    /// Error that a reading of a true value has now, without noise.
    func presentBias(of truth: Vector3) -> Vector3 {
        bias + drift.value + Vector3(truth.x * scale.x, truth.y * scale.y, truth.z * scale.z)
    }

    /// Reading of the sensor for a true value; called once for each sample.
    mutating func reading(of truth: Vector3) -> Vector3 {
        drift.step(&random)
        let scaled = Vector3(truth.x * (1 + scale.x), truth.y * (1 + scale.y), truth.z * (1 + scale.z))
        return scaled + bias + drift.value + random.normalVector(noise)
    }
}

/// Time-varying errors of the barometer.
struct PressureErrorState {
    private var random: RandomSource
    private var drift: GaussMarkov
    private let noise: Double

    init(_ errors: SensorErrors.Pressure, rate: Int, random: consuming RandomSource) {
        var random = random
        noise = errors.noise
        drift = GaussMarkov(
            standardDeviation: Vector3(errors.drift, 0, 0), timeConstant: errors.driftTimeConstant,
            interval: 1 / Double(max(1, rate)), from: &random)
        self.random = random
    }

    /// Reading of the sensor for a true pressure; called once for each sample. Unit: hectopascal.
    mutating func reading(of truth: Double) -> Double {
        drift.step(&random)
        return truth + drift.value.x + noise * random.normal()
    }
}

/// Time-varying errors of the receiver's position and velocity, and the delay of its fixes.
struct GNSSErrorState {
    private let errors: SensorErrors.GNSS
    private var random: RandomSource
    private var positionDrift: GaussMarkov
    private var velocityDrift: GaussMarkov

    init(_ errors: SensorErrors.GNSS, rate: Int, random: consuming RandomSource) {
        var random = random
        self.errors = errors
        let interval = 1 / Double(max(1, rate))
        positionDrift = GaussMarkov(
            standardDeviation: errors.positionDrift, timeConstant: errors.positionTimeConstant, interval: interval,
            from: &random)
        velocityDrift = GaussMarkov(
            standardDeviation: Vector3(errors.velocityDrift, errors.velocityDrift, errors.velocityDrift),
            timeConstant: errors.velocityTimeConstant, interval: interval, from: &random)
        self.random = random
    }

    /// Makes the errors of the next fix; called once for each fix. Frame: ENU. Units: metres, m/s, seconds.
    mutating func next() -> (position: Vector3, velocity: Vector3, delaySeconds: Double) {
        positionDrift.step(&random)
        velocityDrift.step(&random)
        return (
            positionDrift.value + random.normalVector(errors.positionNoise),
            velocityDrift.value + random.normalVector(errors.velocityNoise), random.uniform(in: errors.delaySeconds)
        )
    }
}

/// A first-order Gauss–Markov process with three independent axes, sampled at a fixed interval.
package struct GaussMarkov {
    package private(set) var value: Vector3
    /// Factor by which the value decays in one interval.
    private let decay: Double
    /// Standard deviation, per axis, of the noise that drives the process in one interval.
    private let innovation: Vector3

    /// Makes a process that starts in its stationary distribution.
    ///
    /// - Parameters:
    ///   - standardDeviation: stationary standard deviation per axis.
    ///   - timeConstant: correlation time. Unit: seconds.
    ///   - interval: time between calls of `step`. Unit: seconds.
    package init(standardDeviation: Vector3, timeConstant: Double, interval: Double, from random: inout RandomSource) {
        decay = exp(-interval / timeConstant)
        innovation = standardDeviation * (1 - decay * decay).squareRoot()
        value = random.normalVector(standardDeviation)
    }

    package mutating func step(_ random: inout RandomSource) {
        value = value * decay + random.normalVector(innovation)
    }
}

extension RandomSource {
    /// Independent normal deviates of the given standard deviations.
    package mutating func normalVector(_ standardDeviation: Vector3) -> Vector3 {
        let x = normal()
        let y = normal()
        let z = normal()
        return Vector3(standardDeviation.x * x, standardDeviation.y * y, standardDeviation.z * z)
    }

    /// Independent normal deviates with the same standard deviation.
    package mutating func normalVector(_ standardDeviation: Double) -> Vector3 {
        normalVector(Vector3(standardDeviation, standardDeviation, standardDeviation))
    }
}
