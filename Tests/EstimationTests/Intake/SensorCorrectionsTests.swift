import Estimation
import EstimatorFixtures
import Geometry
import Model
import Testing

@Suite("Corrections of the sensors")
struct SensorCorrectionsTests {
    private func calibration(
        _ sensor: SensorCalibration.Sensor, _ correction: Matrix<3, 3> = .identity, bias: Vector3 = .zero
    ) -> SensorCalibration {
        SensorCalibration(
            time: Fixture.start, sensor: sensor, correction: correction, bias: bias,
            biasStandardDeviation: Vector3(1e-3, 1e-3, 1e-3))
    }

    @Test(
        "A bias alone changes neither scale nor axes, to the last bit, however oblique the mount is",
        arguments: [SensorCalibration.Sensor.gyroscope, .accelerometer, .magnetometer])
    func biasAlone(sensor: SensorCalibration.Sensor) throws {
        var random = Seeded(4)
        for _ in 0..<50 {
            var corrections = SensorCorrections(EstimatorSettings())
            let mount = random.rotation()
            _ = corrections.put(calibration(.mount, mount.matrix))
            var scale = Matrix<3, 3>.identity
            for axis in 0..<3 { scale[axis, axis] += 0.02 * random.gaussian() }
            let first = random.vector(0.01)
            _ = corrections.put(calibration(sensor, scale, bias: first))
            let second = random.vector(0.01)
            let answer = corrections.put(calibration(sensor, scale, bias: second))
            let change = try #require(answer)
            #expect(change.matrix == .identity)
            #expect((change.offset - mount * (scale * (first - second))).norm < 1e-12)
        }
    }
}
