import Calibration
import Report
import WaymarkClient

/// Allan's deviation of a calibration, drawn into a file.
enum AllanPicture {
    private static let title = "Allan deviation"

    static func write(_ result: CalibrationResult, _ unit: CalibrationSettings.Unit, to path: String) throws {
        try write(AllanChart(title: title, result.noise, isOfCounts: unit == .arbitrary), to: path)
    }

    /// Writes a chart of the Allan deviations in a result of the daemon.
    static func write(_ outcome: CalibrationOutcome, to path: String) throws {
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
    fileprivate init(_ noise: CalibrationNoise) {
        self.init(
            randomWalk: noise.randomWalk, biasInstability: noise.biasInstability, rateRandomWalk: noise.rateRandomWalk,
            curve: noise.curve.map {
                AllanPoint(tau: $0.tau, deviation: $0.deviation, uncertainty: $0.uncertainty ?? 0)
            })
        // Received as absolute values, plotted as relative ones.
        uncertainties.randomWalk = Self.share(noise.randomWalkDeviation, of: noise.randomWalk)
        uncertainties.biasInstability = Self.share(noise.biasInstabilityDeviation, of: noise.biasInstability)
        uncertainties.rateRandomWalk = Self.share(noise.rateRandomWalkDeviation, of: noise.rateRandomWalk)
    }

    private static func share(_ deviation: Double?, of value: Double?) -> Double? {
        guard let deviation, let value, value > 0 else { return nil }
        return deviation / value
    }
}
