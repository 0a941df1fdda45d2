/// The daemon's settings: whether they can be read, and whether they leave out what Waymark is for.
enum ConfigurationRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let configuration = facts.configuration else { return [] }
        if configuration.isUnreadable { return [unreadable(configuration)] }
        guard configuration.problems.isEmpty else { return configuration.problems.map { invalid($0, configuration) } }
        let names = configuration.files.isEmpty ? "compiled defaults" : Amount.list(configuration.files)
        return [.ok(.configurationRead, configuration.file, "the settings are good: \(names)")] + choices(configuration)
    }

    private static func unreadable(_ configuration: ConfigurationFacts) -> Finding {
        .warning(
            .configurationUnreadable, configuration.file, "you may not read the settings",
            meaning: "what follows is judged by the compiled defaults", remedy: "sudo waymark doctor")
    }

    private static func invalid(_ problem: String, _ configuration: ConfigurationFacts) -> Finding {
        .failure(
            .configurationInvalid, configuration.file, problem,
            meaning: "waymarkd refuses these settings and does not start",
            remedy: "sudoedit \(configuration.file) && waymarkd --check-config")
    }

    private static func choices(_ configuration: ConfigurationFacts) -> [Finding] {
        var findings: [Finding] = []
        let edit = "sudoedit \(configuration.file) && sudo systemctl restart waymarkd"
        if configuration.isSimulation {
            findings.append(
                .warning(
                    .configurationSimulation, "source.kind", "the settings ask for the simulated walk",
                    meaning: "poses are made up; no sensor is read", remedy: edit))
            return findings
        }
        if !configuration.readsSensors {
            findings.append(
                .warning(
                    .configurationNoSensors, "iio.enabled", "inertial and magnetic sensors are switched off",
                    meaning: "there is no orientation, and so there are no poses", remedy: edit))
        }
        if !configuration.readsReceiver {
            findings.append(
                .warning(
                    .configurationNoReceiver, "gnss.enabled", "the satellite receiver is switched off",
                    meaning: "poses have no place on the earth", remedy: edit))
        }
        return findings
    }
}
