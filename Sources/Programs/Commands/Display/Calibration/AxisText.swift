import WaymarkInterface

/// Texts for findings about the axes or the sign of a sensor.
enum AxisText {
    /// Describes the finding, followed by the lines of the configuration that correct it; empty if the axes agree.
    static func lines(_ finding: CalibrationInterface.AxisFinding) -> [String] {
        guard finding.agreement != .agree else { return [] }
        let text = TextWidth.wrapped(Words.line(finding.detail), width: 76).map { "  " + $0 }
        let setting = setting(finding)
        return text + (setting.isEmpty ? [] : [""] + setting.map { "    " + $0 }) + [""]
    }

    private static func setting(_ finding: CalibrationInterface.AxisFinding) -> [String] {
        let section = "[iio.\(finding.sensor)]"
        if let sign = finding.sign { return [section, "sign = \(sign)"] }
        guard finding.agreement == .rotated, let matrix = finding.mountMatrix ?? finding.rotation, matrix.count == 9
        else { return [] }
        let numbers = matrix.map { $0 == $0.rounded() ? $0.fixed(0) : $0.fixed(6) }.joined(separator: ", ")
        let isWhole = finding.mountMatrix != nil
        return (isWhole ? [] : ["# Where no matrix is set yet; otherwise, this matrix times the present one."])
            + [section, "mount_matrix = [\(numbers)]"]
    }
}
