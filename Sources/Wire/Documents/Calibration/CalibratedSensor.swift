import Calibration
import Model

/// Subject of a stored calibration; the raw values are the words in documents and on the wire.
public enum CalibratedSensor: String, Hashable, Sendable, CaseIterable {
    case gyroscope
    case accelerometer
    case magnetometer
    /// Orientation of the whole board relative to the body.
    case mount
    /// Noise of gyroscope and accelerometer; stored for display, and never applied.
    case noise

    /// Subject under which the calibrations of a sensor are stored.
    public init(_ sensor: SensorCalibration.Sensor) {
        switch sensor {
        case .gyroscope: self = .gyroscope
        case .accelerometer: self = .accelerometer
        case .magnetometer: self = .magnetometer
        case .mount: self = .mount
        }
    }

    /// Sensor to which the calibration is applied; nil for noise.
    public var sensor: SensorCalibration.Sensor? {
        switch self {
        case .gyroscope: .gyroscope
        case .accelerometer: .accelerometer
        case .magnetometer: .magnetometer
        case .mount: .mount
        case .noise: nil
        }
    }

    /// Makes the subject from its own name or from the name of the command that calibrates it; nil for any other word.
    public init?(word: String) {
        if let kind = CalibrationKind(rawValue: word) {
            self.init(kind)
        } else {
            self.init(rawValue: word)
        }
    }

    /// Subject under which calibrations of a kind are stored.
    public init(_ kind: CalibrationKind) {
        switch kind {
        case .gyroscope: self = .gyroscope
        case .accelerometer: self = .accelerometer
        case .magnetometer: self = .magnetometer
        case .mount: self = .mount
        case .noise: self = .noise
        }
    }
}
