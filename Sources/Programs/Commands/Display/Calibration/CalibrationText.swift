import Glibc
import WaymarkClient
import WaymarkInterface

package enum CalibrationText {
    /// Describes the verdict and its reason, the parameters with their standard deviations, and their quality.
    ///
    /// - Parameter place: description of the place where the result is stored; nil if the result itself says whether
    ///   the daemon has stored it.
    package static func lines(_ outcome: Waymark.CalibrationResult, place: String? = nil) -> [String] {
        var lines = ["\(CalibrationWords.title(outcome.kind)): \(outcome.accepted ? "accepted" : "refused")"]
        lines += TextWidth.wrapped(Words.line(outcome.reason), width: 76).map { "  " + $0 }
        lines.append("")
        if let parameters = outcome.parameters {
            lines += table(parameters, outcome.standardDeviations) + [""]
        }
        if let gyroscope = outcome.gyroscope {
            lines += ["  gyroscope, from the rotations between the orientations"]
            lines += table(gyroscope.parameters, gyroscope.standardDeviations) + [""]
        }
        if let axes = outcome.axes { lines += AxisText.lines(axes) }
        if !outcome.noise.isEmpty { lines += NoiseText.lines(outcome.noise).map { "  " + $0 } + [""] }
        return lines + figures(outcome, place).map { "  \($0.label.left(12))\($0.text)" }
    }

    package static func summary(_ outcome: Waymark.CalibrationResult) -> String {
        let errors = CalibrationWords.predictedErrors(
            heading: outcome.predictedHeadingError, tilt: outcome.predictedTiltError)
        let verdict = outcome.accepted ? "accepted" : "refused"
        let rest = outcome.accepted ? errors ?? Words.line(outcome.reason) : Words.line(outcome.reason)
        return "\("\(outcome.kind)".left(6)) \(verdict)  \(rest)"
    }

    // MARK: - Parts

    /// Makes a table of the bias and, row by row, the matrix: true value = matrix · (measured value − bias).
    private static func table(
        _ parameters: Waymark.CalibrationParameters, _ standardDeviations: Waymark.CalibrationParameters?
    ) -> [String] {
        guard parameters.bias.count == 3, parameters.matrix.count == 3, parameters.matrix.allSatisfy({ $0.count == 3 })
        else { return [] }
        var rows: [[String]] = []
        func add(_ name: String, _ values: [Double], _ standardDeviations: [Double]?) {
            let cells = values.indices.map { index in
                let standardDeviation = standardDeviations.flatMap { $0.count == 3 ? $0[index] : nil }
                return CalibrationNumber.text(values[index], standardDeviation: standardDeviation)
            }
            rows.append(["  " + name] + cells)
        }
        let identity: [[Double]] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        let isOfBiasAlone = parameters.matrix == identity
        // A mount has no bias.
        if isOfBiasAlone || parameters.bias != [0, 0, 0] { add("bias", parameters.bias, standardDeviations?.bias) }
        for (index, name) in ["matrix", "", ""].enumerated() where !isOfBiasAlone {
            let standardDeviation = standardDeviations.flatMap { $0.matrix.count == 3 ? $0.matrix[index] : nil }
            add(name, parameters.matrix[index], standardDeviation)
        }
        return Table([("", .left), ("x", .right), ("y", .right), ("z", .right)], rows).lines
    }

    private static func figures(
        _ outcome: Waymark.CalibrationResult, _ place: String?
    ) -> [(label: String, text: String)] {
        var rows: [(label: String, text: String)] = []
        if let residual = outcome.residualRMS {
            let unit =
                switch outcome.residualUnit {
                case "1": ""
                case "deg": "°"
                case let unit: " " + Words.line(unit)
                }
            let before = outcome.residualRMSBefore.map { ", before " + CalibrationNumber.plain($0, digits: 3) + unit }
            rows.append(("residual", CalibrationNumber.plain(residual, digits: 3) + unit + (before ?? "")))
        }
        if let errors = CalibrationWords.predictedErrors(
            heading: outcome.predictedHeadingError, tilt: outcome.predictedTiltError)
        {
            rows.append(("predicted", errors))
        }
        if let poses = outcome.poses { rows.append(("poses", "\(poses)")) }
        if let coverage = outcome.coverage { rows.append(("coverage", "\((coverage * 100).fixed(0)) %")) }
        if let temperature = outcome.temperature { rows.append(("temperature", "\(temperature.fixed(1)) °C")) }
        rows.append(("samples", "\(outcome.samples) in \(Words.duration(outcome.seconds))"))
        rows.append(("stored", place ?? (outcome.stored == true ? "by the daemon, and applied" : "no")))
        return rows
    }
}

/// Noise of sensors as a table, in the units of data sheets.
package enum NoiseText {
    /// Makes a row for each axis, with noise parameters and their relative standard deviations.
    package static func lines(_ noise: [Waymark.AxisNoise]) -> [String] {
        let titles = ["axis", "random walk", "bias instability", "rate random walk", "at 1 s"]
        let rows = noise.map { axis in
            let units = Units(axis.unit)
            return [
                Words.line(axis.axis),
                units.randomWalk.text(axis.randomWalk, axis.randomWalkDeviation),
                units.rate.text(axis.biasInstability, axis.biasInstabilityDeviation),
                units.rateRandomWalk.text(axis.rateRandomWalk, axis.rateRandomWalkDeviation),
                units.rate.text(standardDeviation(axis.curve, at: 1), nil),
            ]
        }
        return Table(titles.map { ($0, .left) }, rows).lines
    }

    /// Returns the Allan deviation at the point of the curve nearest to `seconds`; nil if no point is within 5 %.
    private static func standardDeviation(_ curve: [CalibrationInterface.AllanPoint], at seconds: Double) -> Double? {
        let nearest = curve.min { ($0.tau - seconds).magnitude < ($1.tau - seconds).magnitude }
        return nearest.flatMap { ($0.tau / seconds - 1).magnitude < 0.05 ? $0.deviation : nil }
    }

    /// Units of a sensor's noise parameters.
    private struct Units {
        struct Unit {
            let factor: Double
            let name: String

            func text(_ value: Double?, _ standardDeviation: Double?) -> String {
                guard let value, value.isFinite else { return Words.unknown }
                let text = CalibrationNumber.plain(value * factor, digits: 3) + (name.isEmpty ? "" : " " + name)
                guard let standardDeviation, value > 0, standardDeviation >= 0, standardDeviation < 10 * value else {
                    return text
                }
                let percent = 100 * standardDeviation / value
                return text + " ±\(percent.fixed(percent < 9.95 ? 1 : 0)) %"
            }
        }

        let randomWalk: Unit
        let rate: Unit
        let rateRandomWalk: Unit

        init(_ unit: String) {
            let hour = 3600.0
            switch unit {
            case "rad/s":
                let degrees = 180 / Double.pi
                randomWalk = Unit(factor: degrees * hour.squareRoot(), name: "°/√h")
                rate = Unit(factor: degrees * hour, name: "°/h")
                rateRandomWalk = Unit(factor: degrees * hour * hour.squareRoot(), name: "°/h/√h")
            case "m/s²":
                // Converts m/s² to millionths of standard gravity.
                let micro = 1 / 9.80665e-6
                randomWalk = Unit(factor: micro, name: "µg/√Hz")
                rate = Unit(factor: micro, name: "µg")
                rateRandomWalk = Unit(factor: micro * hour.squareRoot(), name: "µg/√h")
            default:
                randomWalk = Unit(factor: 1, name: "·√s")
                rate = Unit(factor: 1, name: "")
                rateRandomWalk = Unit(factor: 1, name: "/√s")
            }
        }
    }
}

/// Formats numbers of a calibration with their significant digits.
enum CalibrationNumber {
    /// Formats a value and its standard deviation, both rounded to the second significant digit of the standard
    /// deviation. Without a standard deviation, the value has six significant digits.
    static func text(_ value: Double, standardDeviation: Double?) -> String {
        guard let standardDeviation, standardDeviation > 0, standardDeviation.isFinite else {
            return plain(value, digits: 6)
        }
        let decimals = decimals(standardDeviation, digits: 2)
        return value.signed(decimals) + " ±" + standardDeviation.fixed(decimals)
    }

    /// Rounds to a number of significant digits, with at most nine decimals.
    static func plain(_ value: Double, digits: Int) -> String { value.fixed(decimals(value, digits: digits)) }

    private static func decimals(_ value: Double, digits: Int) -> Int {
        guard value != 0, value.isFinite else { return digits > 3 ? 3 : digits }
        let order = Int(log10(value.magnitude).rounded(.down))
        return min(9, max(0, digits - 1 - order))
    }
}
