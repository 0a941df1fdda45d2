import EstimatorFixtures
import Geometry
import Model

/// A board whose sensors are biased, scaled, skewed and mounted askew, each by what its calibration undoes.
struct Board {
    var gyroscope: SensorCalibration?
    var accelerometer: SensorCalibration?
    var magnetometer: SensorCalibration?
    var mount: SensorCalibration?

    /// As parts come out of the factory.
    ///
    /// - Parameters:
    ///   - size: 1 is usual.
    ///   - deviations: with which the calibrations claim to know the biases. Units: rad/s, m/s², microtesla.
    init(
        seed: UInt64, size: Double = 1, mount: Rotation3 = .identity,
        standardDeviations: (gyroscope: Double, accelerometer: Double, magnetometer: Double) = (0, 0, 0)
    ) {
        var random = Seeded(seed)
        func matrix(_ standardDeviation: Double) -> Matrix<3, 3> {
            var matrix = Matrix<3, 3>.identity
            for i in 0..<3 {
                for j in 0..<3 { matrix[i, j] += size * standardDeviation * random.gaussian() }
            }
            return matrix
        }
        func calibration(
            _ sensor: SensorCalibration.Sensor, _ scale: Double, _ bias: Double, _ standardDeviation: Double
        ) -> SensorCalibration {
            SensorCalibration(
                time: Fixture.start, sensor: sensor, correction: matrix(scale), bias: random.vector(size * bias),
                biasStandardDeviation: Vector3(standardDeviation, standardDeviation, standardDeviation))
        }
        gyroscope = calibration(.gyroscope, 0.01, 0.01, standardDeviations.gyroscope)
        accelerometer = calibration(.accelerometer, 0.01, 0.2, standardDeviations.accelerometer)
        magnetometer = calibration(.magnetometer, 0.04, 20, standardDeviations.magnetometer)
        if mount != .identity {
            self.mount = SensorCalibration(time: Fixture.start, sensor: .mount, correction: mount.matrix)
        }
    }

    var calibrations: [SensorCalibration] {
        [gyroscope, accelerometer, magnetometer, mount].compactMap { $0 }
    }

    /// The same with one of its sensors only.
    func only(_ sensor: SensorCalibration.Sensor) -> Board {
        var board = self
        if sensor != .gyroscope { board.gyroscope = nil }
        if sensor != .accelerometer { board.accelerometer = nil }
        if sensor != .magnetometer { board.magnetometer = nil }
        if sensor != .mount { board.mount = nil }
        return board
    }

    /// What it measures of what is really so.
    func measured(_ measurements: [Measurement]) -> [Measurement] { measurements.map(measured) }

    func measured(_ measurement: Measurement) -> Measurement {
        switch measurement {
        case .angularRate(var sample):
            sample.rate = shown(sample.rate, gyroscope)
            return .angularRate(sample)
        case .specificForce(var sample):
            sample.force = shown(sample.force, accelerometer)
            return .specificForce(sample)
        case .magneticField(var sample):
            sample.field = shown(sample.field, magnetometer)
            return .magneticField(sample)
        default: return measurement
        }
    }

    private func shown(_ value: Vector3, _ calibration: SensorCalibration?) -> Vector3 {
        let turned = mount.map { $0.correction.transpose * value } ?? value
        guard let calibration, let inverse = calibration.correction.inverse else { return turned }
        return inverse * turned + calibration.bias
    }
}

extension [Measurement] {
    /// Measurements with calibrations that are applied at an instant.
    func calibrated(_ calibrations: [SensorCalibration], at seconds: Double) -> [Measurement] {
        let time = Fixture.time(seconds)
        let index = firstIndex { $0.arrival >= time } ?? endIndex
        let stamped = calibrations.map { calibration in
            var calibration = calibration
            calibration.time = time
            return Measurement.calibration(calibration)
        }
        return Array(self[..<index]) + stamped + Array(self[index...])
    }
}

/// Largest jump of the published pose from one sample to the next, beyond what its own velocities predict.
struct PoseJumps: CustomStringConvertible {
    /// Units: radians, metres.
    var turn = 0.0
    var shift = 0.0
    /// Of the alignment, at the wearer. Units: radians, metres.
    var alignment = 0.0

    init(_ poses: [PoseEstimate]) {
        for (a, b) in zip(poses, poses.dropFirst()) {
            let interval = b.time.seconds(since: a.time)
            let turn = (a.rotationSceneFromBody.inverse * b.rotationSceneFromBody).log
            self.turn = max(self.turn, (turn - b.angularVelocityInBody * interval).norm)
            let shift = b.positionInScene - a.positionInScene
            let mean = (a.velocityInScene + b.velocityInScene) * (interval / 2)
            self.shift = max(self.shift, (shift - mean).norm)
        }
    }

    var description: String { "turn \(turn * 180 / .pi)°, shift \(shift * 1000) mm" }
}
