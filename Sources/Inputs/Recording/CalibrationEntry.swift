import Geometry
import JSON
import Messages
import Model

/// A calibration as a message of a recording, with full-precision numbers.
///
/// The values are recorded as they were applied. In a replay, the estimator checks whether they are usable, as it does
/// live.
enum CalibrationEntry {
    typealias Problem = JSONScanner.Problem

    /// Appends the calibration's members to the open object.
    static func write(_ calibration: SensorCalibration, _ json: inout JSONWriter) {
        json.member("time", calibration.time.message)
        json.member("sensor", word: word(of: calibration.sensor))
        json.object("correction") { json in
            let rows = calibration.correction.rows
            json.member("x", Vector3(rows[0][0], rows[0][1], rows[0][2]))
            json.member("y", Vector3(rows[1][0], rows[1][1], rows[1][2]))
            json.member("z", Vector3(rows[2][0], rows[2][1], rows[2][2]))
        }
        json.member("bias", calibration.bias)
        json.member("biasDeviation", calibration.biasStandardDeviation)
    }

    /// Reads a calibration; skips unknown members.
    static func read(_ scanner: inout JSONScanner) throws(Problem) -> SensorCalibration {
        var (time, sensor): (BootTime?, SensorCalibration.Sensor?)
        var (correction, bias): (Matrix<3, 3>?, Vector3?)
        /// Files of other programs may omit the standard deviation if it is unknown.
        var biasStandardDeviation = Vector3.zero
        try scanner.object { name, value throws(Problem) in
            switch name {
            case "time": time = try MeasurementScanner.time(&value)
            case "sensor": sensor = try self.sensor(&value)
            case "correction": correction = try matrix(&value)
            case "bias": bias = try MeasurementScanner.vector(&value)
            case "biasDeviation": biasStandardDeviation = try MeasurementScanner.vector(&value)
            default: try value.skip()
            }
        }
        return SensorCalibration(
            time: try time.need("time"), sensor: try sensor.need("sensor"),
            correction: try correction.need("correction"), bias: try bias.need("bias"),
            biasStandardDeviation: biasStandardDeviation)
    }

    private static func word(of sensor: SensorCalibration.Sensor) -> StaticString {
        switch sensor {
        case .gyroscope: "gyroscope"
        case .accelerometer: "accelerometer"
        case .magnetometer: "magnetometer"
        case .mount: "mount"
        }
    }

    private static func sensor(_ scanner: inout JSONScanner) throws(Problem) -> SensorCalibration.Sensor {
        let name = JSONScanner.Name(bytes: try scanner.string())
        for sensor in SensorCalibration.Sensor.allCases where name == word(of: sensor) { return sensor }
        throw Problem("sensor is none of gyroscope, accelerometer, magnetometer and mount")
    }

    private static func matrix(_ scanner: inout JSONScanner) throws(Problem) -> Matrix<3, 3> {
        let rows = try MeasurementScanner.axes(&scanner) { value throws(Problem) in
            try MeasurementScanner.vector(&value)
        }
        return Matrix(rows.0, rows.1, rows.2)
    }
}
