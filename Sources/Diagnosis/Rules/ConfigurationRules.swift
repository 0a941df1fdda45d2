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
        if !configuration.readsSensors {
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
