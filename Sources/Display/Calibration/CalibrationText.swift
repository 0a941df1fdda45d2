import WaymarkClient

/// Results of calibrations, in words.
public enum CalibrationText {
    /// The verdict and its reason, the parameters with their standard deviations, and how good they are.
    ///
    /// - Parameter place: where the result was kept, in words; nil for what is said of itself.
    public static func lines(_ outcome: Waymark.CalibrationResult, place: String? = nil) -> [String] {
        var lines = ["\(CalibrationWords.title(outcome.kind)): \(outcome.accepted ? "accepted" : "refused")"]
        lines += wrapped(Words.line(outcome.reason), width: 76).map { "  " + $0 }
        lines.append("")
        if let parameters = outcome.parameters {
            lines += table(parameters, outcome.standardDeviations) + [""]
        }
        if let gyroscope = outcome.gyroscope {
            lines += ["  gyroscope, from the rotations between the orientations"]
            lines += table(gyroscope.parameters, gyroscope.standardDeviations) + [""]
        }
        if !outcome.noise.isEmpty { lines += NoiseText.lines(outcome.noise).map { "  " + $0 } + [""] }
        return lines + figures(outcome, place).map { "  \($0.label.left(12))\($0.text)" }
    }

    /// Summary of a result in one line.
    public static func summary(_ outcome: Waymark.CalibrationResult) -> String {
        let errors = CalibrationWords.predictedErrors(
            heading: outcome.predictedHeadingError, tilt: outcome.predictedTiltError)
        let verdict = outcome.accepted ? "accepted" : "refused"
        let rest = outcome.accepted ? errors ?? Words.line(outcome.reason) : Words.line(outcome.reason)
        return "\("\(outcome.kind)".left(6)) \(verdict)  \(rest)"
    }

    // MARK: - Parts

    /// true = matrix · (measured − bias), row by row.
    private static func table(
        _ parameters: Waymark.CalibrationParameters, _ deviations: Waymark.CalibrationParameters?
    ) -> [String] {
        guard parameters.bias.count == 3, parameters.matrix.count == 3, parameters.matrix.allSatisfy({ $0.count == 3 })
        else { return [] }
        var table = Table([("", .left), ("x", .right), ("y", .right), ("z", .right)])
        func row(_ name: String, _ values: [Double], _ deviations: [Double]?) {
            let cells = values.indices.map { index in
                let deviation = deviations.flatMap { $0.count == 3 ? $0[index] : nil }
                return CalibrationNumber.text(values[index], deviation: deviation)
            }
            table.append(["  " + name] + cells)
        }
        row("bias", parameters.bias, deviations?.bias)
        // Where nothing but the bias was fitted.
        let identity: [[Double]] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        if parameters.matrix == identity { return table.lines }
        for (index, name) in ["matrix", "", ""].enumerated() {
            let deviation = deviations.flatMap { $0.matrix.count == 3 ? $0.matrix[index] : nil }
            row(name, parameters.matrix[index], deviation)
        }
        return table.lines
    }

    private static func figures(
        _ outcome: Waymark.CalibrationResult, _ place: String?
    ) -> [(label: String, text: String)] {
        var rows: [(label: String, text: String)] = []
        if let residual = outcome.residualRMS {
            let before = outcome.residualRMSBefore.map { ", before \(CalibrationNumber.plain($0, digits: 3))" } ?? ""
            let unit = outcome.residualUnit == "1" ? "" : " " + Words.line(outcome.residualUnit)
            rows.append(("residual", CalibrationNumber.plain(residual, digits: 3) + unit + before))
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

    /// Broken at spaces into lines of at most `width` characters, where words let it.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
