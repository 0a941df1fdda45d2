import Calibration
import Documents
import Glibc
import Model
import Pages
import Service
import WaymarkClient

/// Writes the result of an offline calibration to a document that a daemon can import.
enum CalibrationFile {
    /// - Parameters:
    ///   - unit: unit of the samples; a daemon cannot use a calibration of counts, because its own samples are in SI
    ///     units.
    ///   - path: path of a new file.
    static func write(
        _ result: CalibrationResult, _ unit: CalibrationSettings.Unit, to path: String
    ) throws {
        // The document names neither the device nor its mount, which are not known here.
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
                fit, of: result, time: now, origin: .calibrate, version: Program.version, mount: nil,
                isOfCounts: unit == .arbitrary)
        }
        if result.kind == .noise { return [SensorRecords(.noise, present: record(nil))] }
        return result.fits.map { SensorRecords(CalibratedSensor($0.sensor), present: record($0)) }
    }
}

enum AllanPicture {
    private static let title = "Allan deviation"

    static func write(_ result: CalibrationResult, _ unit: CalibrationSettings.Unit, to path: String) throws {
        try write(AllanChart(title: title, result.noise, isOfCounts: unit == .arbitrary), to: path)
    }

    /// Writes a chart of the Allan deviations that the daemon has computed.
    static func write(_ outcome: Waymark.CalibrationResult, to path: String) throws {
        let axes = outcome.noise.map { axis in
            AllanChart.Axis(name: String(axis.axis.suffix(1)), unit: axis.unit, noise: AxisNoise(axis))
        }
        try write(AllanChart(title: title, axes: axes), to: path)
    }

    private static func write(_ chart: AllanChart, to path: String) throws {
        try NewFile.write(chart.file(), to: path)
        Terminal.complain("\(path): Allan deviation of all axes")
    }
}

extension AxisNoise {
    fileprivate init(_ noise: Waymark.AxisNoise) {
        self.init(
            randomWalk: noise.randomWalk, biasInstability: noise.biasInstability, rateRandomWalk: noise.rateRandomWalk,
            curve: noise.curve.map {
                AllanPoint(tau: $0.tau, deviation: $0.deviation, uncertainty: $0.uncertainty)
            })
        // The daemon sends standard deviations as absolute values; the plot has them relative to the parameter.
        uncertainties.randomWalk = Self.share(noise.randomWalkDeviation, of: noise.randomWalk)
        uncertainties.biasInstability = Self.share(noise.biasInstabilityDeviation, of: noise.biasInstability)
        uncertainties.rateRandomWalk = Self.share(noise.rateRandomWalkDeviation, of: noise.rateRandomWalk)
    }

    private static func share(_ standardDeviation: Double?, of value: Double?) -> Double? {
        guard let standardDeviation, let value, value > 0 else { return nil }
        return standardDeviation / value
    }
}
