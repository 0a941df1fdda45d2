import BoardHandling
import Calibration
import Geometry
import Glibc
import Model
import Simulation

/// What sessions make of simulated boards.
enum Handled {
    static func calibrated(
        _ measurements: [Measurement], _ settings: CalibrationSettings = CalibrationSettings()
    ) -> CalibrationResult {
        var session = AccelerometerSession(settings: settings)
        for measurement in measurements { session.feed(measurement) }
        return session.result()
    }

    /// Turned into some poses by hand, and held there.
    static func board(
        poses: Int = 12, seed: UInt64 = 1, tremor: Double = 0.002, rate: Int = 50, holdSeconds: Double = 2
    ) -> HandledBoard {
        board(
            .poses(count: poses, holdSeconds: holdSeconds, moveSeconds: 1.5), seed: seed, tremor: tremor, rate: rate)
    }

    static func board(_ handling: Handling, seed: UInt64 = 1, tremor: Double = 0, rate: Int = 50) -> HandledBoard {
        var board = HandledBoard(handling, errors: .typical(seed: seed), seed: seed, tremor: tremor)
        board.inertialRate = rate
        board.magneticRate = 0
        return board
    }

    /// What a fit leaves in the tilt, RMS over directions, but for the rotation of all axes that no free pose shows.
    static func tiltError(_ fit: SensorFit, _ errors: ChannelErrors, gravity: Double, rotates: Bool = false) -> Double {
        var left = fit.correction * errors.matrix - .identity
        if !rotates { left = 0.5 * (left + left.transpose) }
        let constant = (1 / gravity) * (fit.correction * (errors.bias - fit.bias))
        return rms { up in
            let error = left * up + constant
            return (error - up.dot(error) * up).norm
        }
    }

    /// What a fit leaves in the heading of a turn of 90°, RMS over the axes of the turn.
    static func headingError(_ fit: SensorFit, _ errors: ChannelErrors) -> Double {
        let left = fit.correction * errors.matrix - .identity
        return .pi / 2 * rms { $0.dot(left * $0) }
    }

    private static func rms(_ error: (Vector3) -> Double) -> Double {
        let squares = (0..<SphereCoverage.regions).reduce(0) { sum, region in
            let value = error(SphereCoverage.centre(of: region))
            return sum + value * value
        }
        return (squares / Double(SphereCoverage.regions)).squareRoot()
    }

    /// With other forces and rates in their place; nil leaves one out.
    static func changed(
        _ measurements: [Measurement], force: (SpecificForceSample) -> Vector3? = { $0.force },
        rate: (AngularRateSample) -> Vector3? = { $0.rate }
    ) -> [Measurement] {
        measurements.compactMap { measurement in
            switch measurement {
            case .specificForce(let sample):
                force(sample).map { .specificForce(SpecificForceSample(time: sample.time, force: $0)) }
            case .angularRate(let sample):
                rate(sample).map { .angularRate(AngularRateSample(time: sample.time, rate: $0)) }
            default: measurement
            }
        }
    }
}
