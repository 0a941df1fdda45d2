/// Settings: readability, mistakes and disabled sources.
enum ConfigurationRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let configuration = facts.configuration else { return [] }
        if configuration.isUnreadable { return [unreadable(configuration, facts)] }
        guard configuration.problems.isEmpty else {
            return configuration.problems.map { invalid($0, configuration, facts) }
        }
        let names = configuration.files.isEmpty ? "compiled defaults" : Amount.list(configuration.files)
        return [.ok(.configurationRead, configuration.file, "valid: \(names)")]
            + choices(configuration, facts)
    }

    private static func unreadable(_ configuration: ConfigurationFacts, _ facts: BoardFacts) -> Finding {
        .warning(
            .configurationUnreadable, configuration.file, "no permission to read the settings",
            meaning: "the checks below assume the default settings", remedy: Remedy.asRoot(facts))
    }

    private static func invalid(
        _ problem: String, _ configuration: ConfigurationFacts, _ facts: BoardFacts
    ) -> Finding {
        .failure(
            .configurationInvalid, configuration.file, problem,
            meaning: "waymarkd does not start with invalid settings",
            remedy: "sudoedit \(configuration.file.shellQuoted) && waymarkd --check-config\(Remedy.option(facts)) "
                + "&& sudo systemctl restart waymarkd")
    }

    private static func choices(_ configuration: ConfigurationFacts, _ facts: BoardFacts) -> [Finding] {
        var findings: [Finding] = []
        if configuration.isSimulation {
            findings.append(
                .warning(
                    .configurationSimulation, "source.kind", "the settings select the simulated walk",
                    meaning: "poses are simulated; no sensor is read", remedy: Remedy.edit(facts, "source.kind")))
            return findings
        }
        if !configuration.readsSensors, configuration.samplesSource.isEmpty {
            findings.append(
                .warning(
                    .configurationNoSensors, "iio.enabled", "inertial and magnetic sensors are disabled",
                    meaning: "without orientation there are no poses",
                    remedy: Remedy.edit(facts, "iio.enabled = true")))
        }
        if !configuration.readsReceiver {
            findings.append(
                .warning(
                    .configurationNoReceiver, "gnss.enabled", "the GNSS receiver is disabled",
                    meaning: "poses have no geographic position", remedy: Remedy.edit(facts, "gnss.enabled = true")))
        }
        return findings
    }
}

/// The systemd unit of the daemon.
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
        case "active", "reloading": return .ok(.serviceRunning, unit.name, "running")
        case "failed": return failed(unit)
        default:
            let finding = Finding.failure(
                .serviceStopped, unit.name, unit.active,
                meaning: "the system's daemon publishes no poses", remedy: "sudo systemctl start waymarkd")
            // A daemon started by hand is as good.
            return hasDaemon ? finding.at(.warning) : finding
        }
    }

    /// EX_CONFIG of sysexits.h, the exit status of waymarkd for invalid settings.
    private static let configurationStatus = 78

    private static func failed(_ unit: UnitFacts) -> Finding {
        let status = unit.exitStatus.map { ", code \($0)" } ?? ""
        let reason = unit.exitStatus == configurationStatus ? "invalid settings" : "\(unit.result)\(status)"
        let restart = "sudo systemctl reset-failed waymarkd && sudo systemctl start waymarkd"
        return .failure(
            .serviceFailed, unit.name, "failed: \(reason)",
            meaning: "systemd has given up restarting it, and there are no poses",
            remedy: unit.exitStatus == configurationStatus
                ? "waymarkd --check-config" : "journalctl -u waymarkd -n 30; " + restart)
    }

    private static func disabled(_ unit: UnitFacts) -> Finding {
        .warning(
            .serviceDisabled, unit.name, "not enabled", meaning: "the daemon does not start at boot",
            remedy: "sudo systemctl enable --now waymark.socket waymarkd.service")
    }

    private static func masked(_ unit: UnitFacts) -> Finding {
        .failure(
            .serviceMasked, unit.name, "masked", meaning: "the daemon cannot be started",
            remedy: "sudo systemctl unmask \(unit.name) && sudo systemctl enable --now waymark.socket waymarkd.service")
    }

    private static func missing(_ unit: UnitFacts) -> Finding {
        .warning(
            .serviceMissing, unit.name, "not installed",
            meaning: "the daemon runs only if started by hand",
            remedy: Remedy.install + Remedy.orFromSources)
    }

    private static func restarted(_ unit: UnitFacts) -> Finding {
        .warning(
            .serviceRestarted, unit.name, "restarted \(unit.restarts) times after unexpected exits",
            meaning: "each restart interrupts the poses for seconds; the journal has the reason",
            remedy: "journalctl -u waymarkd -p warning -n 50")
    }
}
