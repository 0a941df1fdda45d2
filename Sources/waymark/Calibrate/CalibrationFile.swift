import Calibration
import Documents
import Glibc
import Model
import Service

/// The result of a calibration without a daemon as a document that a daemon takes in.
enum CalibrationFile {
    /// - Parameters:
    ///   - unit: what the fit is of; counts are of no use to a daemon, whose samples are SI.
    ///   - path: of a new file.
    static func write(
        _ result: CalibrationResult, _ unit: CalibrationSettings.Unit, to path: String
    ) throws {
        // Which device it was is not known here, nor how it was mounted.
        let document = CalibrationDocument([DeviceCalibration(nil, sensors: sensors(result, unit))])
        try NewFile.write(document.bytes, to: path)
        if unit == .arbitrary {
            Terminal.complain(
                "waymark calibrate: warning: \(path) is in raw counts: it can be stored and shown, "
                    + "but not applied to samples"
            )
        }
    }

    private static func sensors(
        _ result: CalibrationResult, _ unit: CalibrationSettings.Unit
    ) -> [SensorRecords] {
        let now = Double(time(nil))
        func record(_ fit: SensorFit?) -> CalibrationRecord {
            CalibrationRecord(
                fit, of: result, time: now, origin: .calibrate, version: Program.version, mountMatrix: nil,
                isOfCounts: unit == .arbitrary)
        }
        if result.kind == .noise { return [SensorRecords(.noise, present: record(nil))] }
        return result.fits.map { SensorRecords(CalibratedSensor($0.sensor), present: record($0)) }
    }
}
