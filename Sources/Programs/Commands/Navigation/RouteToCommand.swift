import Configuration
import Linux
import WaymarkClient

extension Command {
    private static let straight = Flag("straight", help: "Use a straight line instead of a routing service")
    private static let keep = Flag("keep", help: "Keep running until arrival, and reroute after leaving the route")

    static let routeTo = Command(
        "route to", "Start a route to a place.", operands: [Operand("PLACE")],
        options: [
            NavigationSettings.service, straight, NavigationSettings.profile, keep, NavigationSettings.json,
            Option.config,
        ],
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
            """
    ) { options in
        let settings = try NavigationSettings(options, isStraight: options[straight])
        // From here on signals are read from a descriptor, so that none interrupts the handling of an answer.
        let signals = options[keep] ? try SignalDescriptor.ofInterruption() : nil
        // Consumes repeated signals, and signals that had their effect but were not read, so that none ends the
        // program.
        defer { while signals?.next() != nil {} }
        do {
            return try navigate(options, settings, signals)
        } catch WaymarkError.cancelled where signals != nil {
            return .done
        } catch RoutingProblem.cancelled {
            return .done
        }
    }

    private static func navigate(
        _ options: ParsedOptions, _ settings: NavigationSettings, _ signals: SignalDescriptor?
    ) throws -> ExitCode {
        let client = try Waymark.Client(timeout: NavigationWatch.patience, cancel: signals?.descriptor)
        let destination = try NavigationDestination(options.operands[0], by: client)
        let finder = RouteFinder(
            service: settings.service, profile: settings.profile, timeoutSeconds: settings.settings.timeoutSeconds)
        let profile = options[NavigationSettings.profile]
        if options[NavigationSettings.service] == nil, !options[straight],
            let route = try GuidedWatch.begin(destination, profile: profile, cancel: signals?.descriptor)
        {
            let output = try NavigationOutput(asJSON: options[.json], route.destination)
            try output.show(.set, route.route)
            guard let signals else { return .done }
            return try GuidedWatch(route.route, output: output, signals: signals).run()
        }
        let navigator = Navigator(to: destination, by: finder)
        var output = NavigationOutput(
            asJSON: options[.json], destination: destination, service: settings.service?.description)
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
        } catch let error as WaymarkError {
            guard let problem = error.documentProblem else { throw error }
            throw CommandError.failed("route rejected by the daemon: \(problem); the current route is unchanged")
        }
    }
}

/// Settings of `waymark route to` and `waymark navigator`: the section `navigation`, overridden by the command line.
struct NavigationSettings {
    static let service = Option.text(
        "service", value: "SERVICE", help: "Routing service (default: navigation.service)")
    static let profile = Option(
        "profile", value: "PROFILE",
        help: "Routing profile: foot, bicycle, car or one of the service (default: navigation.profile)",
        expectation: "1 to 40 letters, digits, hyphens and underscores"
    ) { RoutingService.isProfile($0) ? $0 : nil }
    static let json = Flag("json", help: "Print one JSON object per event")

    let settings: Configuration.Navigation
    let profile: String
    /// Routing service; nil for straight lines.
    let service: RoutingService?

    /// - Throws: `Misuse`, or `CommandError` if the settings determine the service and cannot be read.
    init(_ options: ParsedOptions, isStraight: Bool = false) throws {
        let named = options[Self.service]
        if named != nil, isStraight { throw Misuse("--service and --straight exclude each other") }
        let chosen = try named.map(Self.parsed)
        var settings = Configuration().navigation
        do throws(ConfigurationError) {
            settings = try Configuration.load(file: options[.config]).navigation
        } catch {
            let problem = error.problems.first.map { Words.line($0.description) } ?? "unknown"
            // A service that could not be read from the settings must not result in a straight line.
            if chosen == nil, !isStraight {
                throw CommandError.failed(
                    "invalid settings (\(problem)): correct them (see `waymarkd --check-config`), or "
                        + "use --service or --straight")
            }
            Terminal.complain("waymark: invalid settings, using defaults: \(problem)")
        }
        self.settings = settings
        profile = options[Self.profile] ?? settings.profile
        service = isStraight ? nil : try chosen ?? Self.configured(settings)
    }

    private static func parsed(_ text: String) throws(Misuse) -> RoutingService {
        do throws(RoutingService.Problem) {
            return try RoutingService(text)
        } catch {
            throw Misuse("--service: '\(Words.line(text))' \(error)")
        }
    }

    private static func configured(_ settings: Configuration.Navigation) throws(CommandError) -> RoutingService? {
        guard !settings.service.isEmpty else { return nil }
        do throws(RoutingService.Problem) {
            return try RoutingService(settings.service)
        } catch {
            throw .failed("navigation.service \(error)")
        }
    }
}
