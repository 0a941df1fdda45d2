/// The daemon's settings: whether they can be read, and whether they leave out what Waymark is for.
enum ConfigurationRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let configuration = facts.configuration else { return [] }
        if configuration.isUnreadable { return [unreadable(configuration, facts)] }
        guard configuration.problems.isEmpty else {
            return configuration.problems.map { invalid($0, configuration, facts) }
        }
        let names = configuration.files.isEmpty ? "compiled defaults" : Amount.list(configuration.files)
        return [.ok(.configurationRead, configuration.file, "the settings are good: \(names)")]
            + choices(configuration, facts)
    }

    private static func unreadable(_ configuration: ConfigurationFacts, _ facts: BoardFacts) -> Finding {
        .warning(
            .configurationUnreadable, configuration.file, "you may not read the settings",
            meaning: "what follows is judged by the compiled defaults", remedy: Remedy.asRoot(facts))
    }

    private static func invalid(
        _ problem: String, _ configuration: ConfigurationFacts, _ facts: BoardFacts
    ) -> Finding {
        .failure(
            .configurationInvalid, configuration.file, problem,
            meaning: "waymarkd refuses these settings and does not start",
            remedy: "sudoedit \(configuration.file.shellQuoted) && waymarkd --check-config\(Remedy.option(facts)) "
                + "&& sudo systemctl restart waymarkd")
    }

    private static func choices(_ configuration: ConfigurationFacts, _ facts: BoardFacts) -> [Finding] {
        var findings: [Finding] = []
        if configuration.isSimulation {
            findings.append(
                .warning(
                    .configurationSimulation, "source.kind", "the settings ask for the simulated walk",
                    meaning: "poses are made up; no sensor is read", remedy: Remedy.edit(facts, "source.kind")))
            return findings
        }
        if !configuration.readsSensors {
            findings.append(
                .warning(
                    .configurationNoSensors, "iio.enabled", "inertial and magnetic sensors are switched off",
                    meaning: "there is no orientation, and so there are no poses",
                    remedy: Remedy.edit(facts, "iio.enabled = true")))
        }
        if !configuration.readsReceiver {
            findings.append(
                .warning(
                    .configurationNoReceiver, "gnss.enabled", "the satellite receiver is switched off",
                    meaning: "poses have no place on the earth", remedy: Remedy.edit(facts, "gnss.enabled = true")))
        }
        return findings
    }
}
