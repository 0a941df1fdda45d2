import Configuration
import Diagnosis
import Glibc

/// The daemon's settings, read as `waymarkd --check-config` reads them.
struct ConfigurationSurvey {
    /// The present settings, or the compiled defaults if they cannot be read.
    let settings: Configuration
    let facts: ConfigurationFacts

    /// - Parameter file: in place of the system's.
    init(file: String?) {
        let path = file ?? Configuration.systemFile
        var facts = ConfigurationFacts(file: path)
        facts.chosen = file
        var settings = Configuration()
        if access(path, R_OK) != 0, errno == EACCES {
            facts.isUnreadable = true
        } else {
            do throws(ConfigurationError) {
                settings = try Configuration.load(file: file)
            } catch {
                facts.problems = error.problems.prefix(Self.mostProblems).map(\.description)
                facts.file = error.problems.first?.file ?? path
            }
        }
        facts.files = settings.files
        facts.isSimulation = settings.source.kind == .simulation
        facts.readsSensors = settings.iio.enabled
        facts.readsReceiver = settings.gnss.enabled
        let names: [(SensorFacts.Kind, String)] = [
            (.accelerometer, settings.iio.accelerometer), (.gyroscope, settings.iio.gyroscope),
            (.magnetometer, settings.iio.magnetometer),
        ]
        for (kind, name) in names where !name.isEmpty { facts.deviceNames[kind] = name }
        self.settings = settings
        self.facts = facts
    }

    /// Maximum number of mistakes that are reported as findings.
    private static let mostProblems = 20
}
