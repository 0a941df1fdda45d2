import Diagnosis
import Geometry
import Model

/// Samples of some seconds by sensor, in body axes and as calibrated.
struct Samples {
    private struct Series {
        var nanoseconds: [Int64] = []
        var values: [Vector3] = []
    }

    private var series: [SensorFacts.Kind: Series] = [:]
    private var calibrations: [SensorCalibration.Sensor: SensorCalibration] = [:]

    /// A minute of the fastest sensor there is.
    private static let most = 300_000

    init(calibrations: [SensorCalibration] = []) {
        for calibration in calibrations { self.calibrations[calibration.sensor] = calibration }
    }

    mutating func take(_ measurement: Measurement) {
        switch measurement {
        case .specificForce(let sample): add(.accelerometer, .accelerometer, sample.time, sample.force)
        case .angularRate(let sample): add(.gyroscope, .gyroscope, sample.time, sample.rate)
        case .magneticField(let sample): add(.magnetometer, .magnetometer, sample.time, sample.field)
        case .calibration(let calibration): calibrations[calibration.sensor] = calibration
        case .pressure, .fix, .clock: break
        }
    }

    private mutating func add(
        _ kind: SensorFacts.Kind, _ sensor: SensorCalibration.Sensor, _ time: BootTime, _ value: Vector3
    ) {
        guard value.isFinite, series[kind, default: Series()].values.count < Self.most else { return }
        let own = calibrations[sensor]?.applied(to: value) ?? value
        series[kind, default: Series()].nanoseconds.append(time.nanoseconds)
        series[kind, default: Series()].values.append(calibrations[.mount]?.applied(to: own) ?? own)
    }

    var summaries: [SensorFacts.Kind: SampleSummary] {
        series.compactMapValues { SampleSummary(nanoseconds: $0.nanoseconds, values: $0.values) }
    }
}
