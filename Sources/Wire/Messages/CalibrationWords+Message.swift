import Calibration
import Documents
import Model
import WaymarkInterface

extension CalibrationKind {
    /// Sensor to which the calibration applies; nil for a noise calibration, which is never applied.
    public var sensor: SensorCalibration.Sensor? {
        switch self {
        case .gyroscope: .gyroscope
        case .accelerometer: .accelerometer
        case .magnetometer: .magnetometer
        case .mount: .mount
        case .noise: nil
        }
    }

    package var message: CalibrationInterface.CalibrationKind {
        switch self {
        case .gyroscope: .gyro
        case .accelerometer: .accel
        case .magnetometer: .mag
        case .mount: .mount
        case .noise: .noise
        }
    }

    package init(_ message: CalibrationInterface.CalibrationKind) {
        switch message {
        case .gyro: self = .gyroscope
        case .accel: self = .accelerometer
        case .mag: self = .magnetometer
        case .mount: self = .mount
        case .noise: self = .noise
        }
    }
}

extension CalibratedSensor {
    package var message: CalibrationInterface.CalibratedSensor {
        switch self {
        case .gyroscope: .gyroscope
        case .accelerometer: .accelerometer
        case .magnetometer: .magnetometer
        case .mount: .mount
        case .noise: .noise
        }
    }
}

extension CalibrationRecord.Origin {
    package var message: CalibrationInterface.CalibrationOrigin {
        switch self {
        case .calibrate: .calibrate
        case .import: .import
        case .online: .online
        }
    }
}
