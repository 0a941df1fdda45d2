import Configuration
import Glibc
import Linux
import WaymarkClient

/// `waymark route to`: a route to a place, from the user's own routing service.
enum RouteToCommand: Command {
    static let word = "route to"

    private static let service = Option.text(
        "service", value: "SERVICE", help: "Routing service (default: navigation.service)")
    private static let straight = Flag("straight", help: "Use a straight line instead of a routing service")
    private static let profile = Option(
        "profile", value: "PROFILE",
        help: "Routing profile: foot, bicycle, car or one of the service (default: navigation.profile)",
        expectation: "1 to 40 letters, digits, hyphens and underscores"
    ) { RoutingService.isProfile($0) ? $0 : nil }
    private static let keep = Flag("keep", help: "Keep running until arrival, and reroute after leaving the route")
    private static let json = Flag("json", help: "Print one JSON object per event")
    private static let config = Option.text(
        "config", value: "FILE", help: "Configuration file (default: /etc/waymark/waymark.toml)")

    /// Timeout of each reply: reading a long document takes the daemon some time.
    static let patience: Duration = .seconds(60)
    /// Timeout of a route by the navigator: the maximum of navigation.timeout_seconds, plus the reading of a document.
    static let navigatorPatience: Duration = .seconds(360)

    static let syntax: Syntax = syntax(
        "Start a route to a place.", operands: [Operand("PLACE")],
        options: [service, straight, profile, keep, json, config],
        notes: """
            PLACE is LAT,LON in degrees, a geo: URI, or a place by its id or name. A name
            shared by several places is an error that lists their ids. Latitudes
            south of the equator are written geo:-33.86,151.21 or after a --.

            SERVICE is an OSRM or a Valhalla that you run: osrm or valhalla, which is on
            this machine at port 5000 or 8002, or with its address osrm+http://HOST:PORT or
            valhalla+https://HOST/PATH. Where neither --service nor --straight is given and
            'waymark navigator' runs, that finds the route, and others on the way. Without
            any service the route is a straight line; a service that fails is an error, and
            the current route is unchanged.

            Exit status with --keep: 0 on arrival or on a signal, 1 if another client
            sets another route or clears this one.
            """)

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let settings = try NavigationSettings(file: options[config], choice: try choice(options))
        // From here on signals are read from a descriptor, so that none interrupts the handling of an answer.
        let signals = options[keep] ? try SignalDescriptor.ofInterruption() : nil
        // Consumes signals that were obeyed but not read, and repeated ones, so that none ends the program.
        defer { while signals?.next() != nil {} }
        do {
            return try navigate(options, settings, signals)
        } catch WaymarkError.cancelled where signals != nil {
            return .done
        } catch RoutingProblem.cancelled {
            return .done
        }
    }

    private static func choice(_ options: ParsedOptions) throws(UsageError) -> NavigationSettings.Choice {
        guard let service = options[service] else { return options[straight] ? .none : .ofSettings }
        if options[straight] { throw usageError("--service and --straight exclude each other") }
        do throws(RoutingService.Problem) {
            return .named(try RoutingService(service))
        } catch {
            throw usageError("--service: '\(Words.line(service))' \(error)")
        }
    }

    private static func navigate(
        _ options: ParsedOptions, _ settings: NavigationSettings, _ signals: SignalDescriptor?
    ) throws -> ExitCode {
        let client = try Waymark.Client(timeout: patience, cancel: signals?.descriptor)
        let destination = try NavigationDestination(options.operands[0], by: client)
        let finder = RouteFinder(
            service: settings.service, profile: options[profile] ?? settings.settings.profile,
            timeoutSeconds: settings.settings.timeoutSeconds, userAgent: "waymark/\(Program.version)")
        if options[service] == nil, !options[straight],
            let route = try GuidedWatch.begin(destination, profile: options[profile], cancel: signals?.descriptor)
        {
            let output = try NavigationOutput(asJSON: options[json], route.destination)
            try output.show(.set, route.route)
            guard let signals else { return .done }
            return try GuidedWatch(route.route, output: output, signals: signals).run()
        }
        let navigator = Navigator(to: destination, by: finder)
        var output = NavigationOutput(
            asJSON: options[json], destination: destination, service: settings.service?.description)
        let (route, remainder) = try firstRoute(navigator, client, signals)
        output.remainder = remainder
        try output.show(.set, route)
        guard let signals else { return .done }
        return try NavigationWatch(navigator, settings.settings, output: output, signals: signals).run()
    }

    private static func firstRoute(
        _ navigator: Navigator, _ client: Waymark.Client, _ signals: SignalDescriptor?
    ) throws -> (Waymark.Route, remainder: Double) {
        do {
            let finding = try navigator.find(by: client, cancel: signals?.descriptor)
            return (try navigator.set(finding, by: client), finding.remainder)
        } catch let problem as RoutingProblem where problem != .cancelled {
            throw CommandError.failed("\(Words.line("\(problem)")); the current route is unchanged")
        } catch WaymarkError.scene(.invalidDocument(let path, let reason)) {
            let place = path.isEmpty ? "" : "\(path): "
            throw CommandError.failed("route rejected by the daemon: \(place)\(reason); the current route is unchanged")
        }
    }
}

/// Settings of `waymark route to`: the section `navigation`, overridden by the command line.
struct NavigationSettings {
    let settings: Configuration.Navigation
    /// Routing service; nil for straight lines.
    let service: RoutingService?

    /// Choice of the service.
    enum Choice {
        case ofSettings
        case named(RoutingService)
        case none
    }

    /// - Parameter file: path in place of the system's file.
    /// - Throws: `CommandError` if the settings determine the service and cannot be read.
    init(file: String?, choice: Choice) throws(CommandError) {
        var settings = Configuration().navigation
        do throws(ConfigurationError) {
            settings = try Configuration.load(file: file).navigation
        } catch {
            let problem = error.problems.first.map { Words.line($0.description) } ?? "unknown"
            // A service that could not be read from the settings must not result in a straight line.
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
