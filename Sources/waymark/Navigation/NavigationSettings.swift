import Configuration
import Display

/// What `waymark route to` goes by: the section `navigation` of the settings, and the command line over it.
struct NavigationSettings {
    let settings: Configuration.Navigation
    /// Nil: none, and ways are straight lines.
    let service: RoutingService?

    /// Which service to ask.
    enum Choice {
        case ofSettings
        case named(RoutingService)
        case none
    }

    /// - Parameter file: in place of the system's.
    /// - Throws: `CommandError` where the settings would decide on the service and cannot be read.
    init(file: String?, choice: Choice) throws(CommandError) {
        var settings = Configuration().navigation
        do throws(ConfigurationError) {
            settings = try Configuration.load(file: file).navigation
        } catch {
            let problem = error.problems.first.map { Words.line($0.description) } ?? "unknown"
            // Never a straight line because the service could not be read.
            if case .ofSettings = choice {
                throw .failed(
                    "invalid settings (\(problem)): correct them (see `waymarkd --check-config`), or "
                        + "use --service or --straight")
            }
            Terminal.complain("waymark: invalid settings, using defaults: \(problem)")
        }
        self.settings = settings
        switch choice {
        case .ofSettings: service = try Self.service(of: settings)
        case .named(let service): self.service = service
        case .none: service = nil
        }
    }

    private static func service(of settings: Configuration.Navigation) throws(CommandError) -> RoutingService? {
        guard !settings.service.isEmpty else { return nil }
        do throws(RoutingService.Problem) {
            return try RoutingService(settings.service)
        } catch {
            throw .failed("navigation.service \(error)")
        }
    }
}
