import BoardHandling
import Estimation
import Simulation

/// The simulator's noise, and the filter's settings for the same noise: then nothing may be left to explain.
extension ConsistencyTests {
    /// Typical sensors without what the filter has no state for: scale errors of the accelerometer, passing
    /// disturbances of the field, iron in the street and a compass that is mounted off.
    static let matchedWalk: @Sendable (UInt64) -> CityWalkSettings = { seed in
        var errors = SensorErrors.typical
        errors.accelerometer.scale = 0
        errors.magnetometer = errors.magnetometer.withoutStreetIronAndTurn
        errors.magnetometer.disturbance = 0
        var settings = CityWalkSettings(seed: seed, errors: errors)
        settings.pressureRate = 0
        return settings
    }

    static let matchedSettings: EstimatorSettings = {
        let errors = SensorErrors.typical
        var settings = EstimatorSettings()
        settings.inertial.gyroNoise = errors.gyroscope.noiseDensity
        settings.inertial.accelerometerNoise = errors.accelerometer.noiseDensity
        settings.inertial.gyroBiasWalk = walk(errors.gyroscope)
        settings.inertial.accelerometerBiasWalk = walk(errors.accelerometer)
        settings.inertial.gyroScaleWalk = 0
        settings.inertial.turnError = 0
        settings.inertial.gyroVibrationShare = 0
        settings.inertial.accelerometerVibrationShare = 0
        settings.initial.gyroBiasStandardDeviation = errors.gyroscope.turnOnBias
        settings.initial.gyroScaleStandardDeviation = errors.gyroscope.scale
        settings.initial.accelerometerBiasStandardDeviation = errors.accelerometer.turnOnBias
        settings.gnss.correlatedShare = share(errors.gnss.positionDrift.x, errors.gnss.positionNoise.x)
        settings.gnss.whiteShare = share(errors.gnss.positionNoise.x, errors.gnss.positionDrift.x)
        settings.gnss.correlationSeconds = errors.gnss.positionTimeConstant
        settings.gnss.velocityCorrelatedShare = share(errors.gnss.velocityDrift, errors.gnss.velocityNoise)
        settings.gnss.velocityWhiteShare = share(errors.gnss.velocityNoise, errors.gnss.velocityDrift)
        settings.gnss.velocityCorrelationSeconds = errors.gnss.velocityTimeConstant
        settings.gnss.verticalVelocityFactor = 1
        settings.gnss.velocityDelaySeconds = 0
        settings.gnss.velocityDelayStandardDeviation = 0
        // Its figures are true, and need no learning.
        settings.gnss.maximumPositionScale = 1
        settings.gnss.velocityDelayWalk = 0
        settings.gnss.maximumPositionScale = 1
        let (total, horizontal) = (48.4, 21.4)
        settings.initial.fieldForHardIron = total
        settings.magneticCalibration.hardIronStandardDeviation = errors.magnetometer.hardIron / total
        settings.magnetic.hardIronWalk = 1e-9
        settings.magneticCalibration.hardIronWalk = 0
        settings.magneticCalibration.delayStandardDeviation = 1e-9
        settings.magneticCalibration.delayWalk = 0
        settings.magnetic.offsetStandardDeviation = 1e-6
        // White noise of each sample, as a density: times the square root of the interval.
        let density = errors.magnetometer.noise * (1.0 / 50).squareRoot()
        settings.magnetic.yawNoise = density / horizontal
        settings.magnetic.componentNoise = density / total
        settings.magnetic.contradictionFactor = 0
        settings.magnetic.meanSeconds = 0
        // Rest and steps are assumptions with a noise of their own: neither is detected in this comparison.
        settings.rest.rateStandardDeviation = 0
        settings.gait.stepsToBegin = .max
        return settings
    }()

    /// A Gauss–Markov process walks, over times much shorter than its own, with `σ·√(2/τ)`.
    private static func walk(_ errors: SensorErrors.Inertial) -> Double {
        errors.biasDrift * (2 / errors.biasTimeConstant).squareRoot()
    }

    private static func share(_ part: Double, _ rest: Double) -> Double {
        part / (part * part + rest * rest).squareRoot()
    }
}
