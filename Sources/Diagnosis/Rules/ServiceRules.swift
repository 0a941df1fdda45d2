/// The unit of the daemon, as systemd has it.
enum ServiceRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let unit = facts.unit else { return [] }
        switch unit.load {
        case "masked": return [masked(unit)]
        case "not-found": return [missing(unit)]
        default: break
        }
        var findings = [state(unit, hasDaemon: facts.daemon != nil)]
        if unit.file == "disabled" { findings.append(disabled(unit)) }
        if unit.restarts > 0, unit.active != "failed" { findings.append(restarted(unit)) }
        return findings
    }

    private static func state(_ unit: UnitFacts, hasDaemon: Bool) -> Finding {
        switch unit.active {
        case "active", "reloading": return .ok(.serviceRunning, unit.name, "it runs")
        case "failed": return failed(unit)
        default:
            let finding = Finding.failure(
                .serviceStopped, unit.name, "it is \(unit.active)",
                meaning: "the system's own daemon gives no poses", remedy: "sudo systemctl start waymarkd")
            // One that was started by hand does as well.
            return hasDaemon ? finding.at(.warning) : finding
        }
    }

    /// Of sysexits.h, by which waymarkd says that its settings are wrong.
    private static let configurationStatus = 78

    private static func failed(_ unit: UnitFacts) -> Finding {
        let status = unit.exitStatus.map { ", code \($0)" } ?? ""
        let reason = unit.exitStatus == configurationStatus ? "its settings are wrong" : "\(unit.result)\(status)"
        let restart = "sudo systemctl reset-failed waymarkd && sudo systemctl start waymarkd"
        return .failure(
            .serviceFailed, unit.name, "it has failed: \(reason)",
            meaning: "systemd has given up starting it, and there are no poses",
            remedy: unit.exitStatus == configurationStatus
                ? "waymarkd --check-config" : "journalctl -u waymarkd -n 30; " + restart)
    }

    private static func disabled(_ unit: UnitFacts) -> Finding {
        .warning(
            .serviceDisabled, unit.name, "it is not enabled", meaning: "it does not start with the board",
            remedy: "sudo systemctl enable --now waymark.socket waymarkd.service")
    }

    private static func masked(_ unit: UnitFacts) -> Finding {
        .failure(
            .serviceMasked, unit.name, "it is masked", meaning: "nothing can start it",
            remedy: "sudo systemctl unmask \(unit.name) && sudo systemctl enable --now waymark.socket waymarkd.service")
    }

    private static func missing(_ unit: UnitFacts) -> Finding {
        .warning(
            .serviceMissing, unit.name, "it is not installed",
            meaning: "the daemon runs only where it is started by hand",
            remedy: Remedy.install + Remedy.orFromSources)
    }

    private static func restarted(_ unit: UnitFacts) -> Finding {
        .warning(
            .serviceRestarted, unit.name, "it was started anew \(unit.restarts) times after it had ended by itself",
            meaning: "each time poses were missing for seconds; its journal says why",
            remedy: "journalctl -u waymarkd -p warning -n 50")
    }
}
