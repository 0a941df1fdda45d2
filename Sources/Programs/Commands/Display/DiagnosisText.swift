/// Text of a diagnosis: by group, each problem with its consequence and the command that fixes it.
package enum DiagnosisText {
    /// - Parameter canvas: capabilities of the terminal; nil if the text does not go to a terminal.
    package static func lines(_ diagnosis: Diagnosis, canvas: Canvas?) -> [String] {
        var lines: [StyledLine] = []
        for group in FindingCode.groups {
            let findings = diagnosis.findings.filter { $0.code.group == group }
            guard !findings.isEmpty else { continue }
            lines.append(StyledLine(titles[group] ?? group, .strong))
            lines += findings.flatMap(Self.lines)
            lines.append(StyledLine())
        }
        lines.append(summary(diagnosis))
        return lines.map { $0.rendered(columns: .max, colour: canvas?.colour ?? false) }
    }

    private static let titles = [
        "configuration": "Settings", "service": "Service", "socket": "Socket", "daemon": "Daemon",
        "kernel": "Kernel", "access": "Permissions", "device": "Sensors", "signal": "Rates and stamps",
        "scale": "Scales", "mount": "Mount", "gnss": "Satellites", "clock": "Clock", "disk": "Disk",
        "calibration": "Calibration", "routing": "Routes",
    ]

    private static func lines(_ finding: Finding) -> [StyledLine] {
        let (mark, style): (String, StyledLine.Style) =
            switch finding.level {
            case .ok: ("ok", .good)
            case .warning: ("warning", .warning)
            case .failure: ("FAILURE", .bad)
            }
        var head = StyledLine("  ")
        head.append(mark.left(9), style)
        head.append("\(Words.line(finding.subject)): \(Words.line(finding.what))")
        guard finding.level != .ok else { return [head] }
        var remedy = StyledLine(indent + "fix: ")
        remedy.append(Words.line(finding.remedy ?? ""), .strong)
        remedy.append("  [\(finding.code.rawValue)]", .faint)
        return [head, StyledLine(indent + Words.line(finding.meaning)), remedy]
    }

    private static let indent = String(repeating: " ", count: 11)

    private static func summary(_ diagnosis: Diagnosis) -> StyledLine {
        let (failures, warnings) = (diagnosis.count(.failure), diagnosis.count(.warning))
        guard failures + warnings > 0 else { return StyledLine("All is well.", .good) }
        func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
        return StyledLine(
            "\(count(failures, "failure")), \(count(warnings, "warning")), \(diagnosis.count(.ok)) ok",
            .strong)
    }
}
