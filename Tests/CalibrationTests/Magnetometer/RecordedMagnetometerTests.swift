import Calibration
import Geometry
import Testing

@Suite("recorded magnetometers")
struct RecordedMagnetometerTests {
    @Test(
        "a QMC5883L in raw counts, five times the field off centre",
        .enabled(if: RecordedTable.has("cal_mag_qmc5883l/mag.csv.gz")))
    func qmc5883l() throws {
        let table = try RecordedTable("cal_mag_qmc5883l/mag.csv.gz")
        var session = MagnetometerSession(settings: CalibrationSettings(unit: .arbitrary))
        for measurement in try table.magneticMeasurements() { session.feed(measurement) }
        let result = session.result()
        let fit = try #require(result.fits.first)
        let residuals = try table.vectors("mx", "my", "mz").map { (fit.correction * ($0 - fit.bias)).norm - 1 }
        let rms = (residuals.reduce(0) { $0 + $1 * $1 } / Double(residuals.count)).squareRoot()
        // reference.json: the plain ellipsoid's, and what its authors' parameters leave in the same samples.
        #expect(rms <= 0.0281)
        #expect(residuals.map(\.magnitude).sorted()[residuals.count / 2] < 0.0258)
        #expect((try #require(result.residualRMS) - rms).magnitude < 0.0002)
        #expect((fit.bias - Vector3(6194.7, 250.3, 3479.6)).norm < 20)
        #expect(result.verdict.isAccepted)
        #expect(result.coverage?.fraction ?? 0 > 0.8)
    }

    private static let fast = "broad_07_undisturbed_fast_rotation_B"

    @Test(
        "a calibrated sensor that is whirled about keeps its calibration: the fit would leave more than there was",
        .enabled(if: RecordedTable.has("\(fast)/mag.csv.gz")))
    func whirled() throws {
        let magnetic = try RecordedTable("\(Self.fast)/mag.csv.gz").magneticMeasurements()
        let inertial = try RecordedTable("\(Self.fast)/imu.csv.gz").inertialMeasurements()
        var session = MagnetometerSession(settings: CalibrationSettings())
        for measurement in (magnetic + inertial).sorted(by: { $0.time < $1.time }) { session.feed(measurement) }
        #expect(session.result().verdict.refusal == .poorFit)
    }
}
