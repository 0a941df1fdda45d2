import Configuration
import Glibc

/// The daemon's settings, read as `waymarkd --check-config` reads them.
struct ConfigurationSurvey {
    /// The current settings, or the compiled defaults if they cannot be read.
    let settings: Configuration
    let facts: ConfigurationFacts

    /// - Parameter file: path of a settings file; nil for the system's file.
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
                facts.problems = error.problems.prefix(Self.maximumProblemCount).map(\.description)
                facts.file = error.problems.first?.file ?? path
            }
        }
        facts.files = settings.files
        facts.isSimulation = settings.source.kind == .simulation
        facts.readsSensors = settings.iio.enabled
        facts.samplesSource = settings.source.samples
        facts.readsReceiver = settings.gnss.enabled
        let sensors: [(SensorFacts.Kind, Configuration.IIO.Sensor)] = [
            (.accelerometer, settings.iio.accelerometer), (.gyroscope, settings.iio.gyroscope),
            (.magnetometer, settings.iio.magnetometer),
        ]
        for (kind, sensor) in sensors {
            if !sensor.device.isEmpty { facts.deviceNames[kind] = sensor.device }
            if !sensor.label.isEmpty { facts.deviceLabels[kind] = sensor.label }
        }
        self.settings = settings
        self.facts = facts
    }

    /// Maximum number of mistakes that are reported as findings.
    private static let maximumProblemCount = 20
}

/// Checks the configured routing service with a request that does not reveal the wearer's position.
enum RoutingSurvey {
    /// The program was requested to stop.
    struct Cancelled: Error {}

    /// Timeout. A working service answers such a small request much faster. Unit: seconds.
    private static let patience = 3.0

    /// Returns the result of the check; nil if the settings name no service.
    ///
    /// - Parameter cancel: a descriptor that ends the wait when it is readable.
    static func facts(_ settings: Configuration.Navigation, cancel: Int32) throws(Cancelled) -> RoutingFacts? {
        guard !settings.service.isEmpty, let service = try? RoutingService(settings.service) else { return nil }
        let finder = RouteFinder(
            service: service, profile: settings.profile, timeoutSeconds: min(settings.timeoutSeconds, patience))
        var outcome = RoutingFacts.Outcome.answered
        do throws(RoutingProblem) {
            try finder.check(cancel: cancel)
        } catch {
            guard error != .cancelled else { throw Cancelled() }
            outcome = Self.outcome(of: error)
        }
        return RoutingFacts(service: service.description, profile: settings.profile, outcome: outcome)
    }

    private static func outcome(of problem: RoutingProblem) -> RoutingFacts.Outcome {
        switch problem {
        case .noTransport(let reason): .noLibrary(reason)
        case .noAnswer(_, let reason): .unreachable(reason)
        case .noConnection(_, let seconds): .unreachable("no connection within \(seconds) s")
        case .timedOut(_, let seconds): .silent(seconds: seconds)
        case .refused(_, let words): .refused(words)
        case .cancelled, .outOfMemory, .tooLong, .redirected, .failed, .notJSON, .invalid, .elsewhere:
            .foreign("\(problem)")
        }
    }
}
