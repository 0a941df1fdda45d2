import Calibration
import Documents
import Geometry
import Model
import Persistence
import Testing

@Suite("A calibration that no sensor could need")
struct CalibrationCheckTests {
    private func matrix(_ rows: [Double]) -> Matrix<3, 3> {
        Matrix(
            Vector3(rows[0], rows[1], rows[2]), Vector3(rows[3], rows[4], rows[5]), Vector3(rows[6], rows[7], rows[8]))
    }

    /// A plausible calibration of a magnetometer.
    private var plausible: CalibrationRecord {
        var record = CalibrationRecord(time: 1.7e9, origin: .calibrate, kind: .magnetometer, residualUnit: "µT")
        record.fit = SensorFit(
            sensor: .magnetometer,
            correction: matrix([1.01, 0.002, -0.002, 0.01, 0.99, 0, 0, 0, 1.01]), bias: Vector3(0.3, 0, 0.3))
        record.fit?.biasStandardDeviation = Vector3(0.1, 0.2, 0.3)
        return record
    }

    @Test(
        "what the estimator would leave out has a flaw",
        arguments: [
            ([0.011, 0, 0, 0, 90, 0, 0, 0, 1], 0.0, 0.0, "unequally"),
            ([50, 0, 0, 0, 50, 0, 0, 0, 50], 4000, 0, "comes to"),
            ([1, 0, 0, 0, 1, 0, 0, 0, 1], 10, 1e12, "not known at all"),
        ])
    func flaw(_ rows: [Double], _ bias: Double, _ standardDeviation: Double, _ word: String) {
        var record = plausible
        record.fit?.correction = .identity
        record.fit?.bias = Vector3(1, 2, 3)
        #expect(record.flaw == nil)
        record.fit?.correction = matrix(rows)
        record.fit?.bias.x = bias
        record.fit?.biasStandardDeviation = Vector3(standardDeviation, 0, 0)
        #expect(record.flaw?.contains(word) == true)
    }

    @Test("a record that the estimator would refuse has a flaw, and is not reported as active")
    func refused() {
        var record = plausible
        #expect(record.flaw == nil)
        let fit = record.fit
        record.fit?.correction = matrix([1, 0, 0, 0, 1, 0, 0, 0, 0.0101])
        #expect(record.flaw != nil)
        record.fit = fit
        record.fit?.biasStandardDeviation = Vector3(1e6, 0, 0)
        #expect(record.flaw != nil)
    }
}
