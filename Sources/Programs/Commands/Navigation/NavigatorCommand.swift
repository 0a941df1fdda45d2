import Configuration
import Linux

/// `waymark navigator`: finds routes for the daemon, which itself never uses the network, until a signal ends it.
enum NavigatorCommand: Command {
    static let word = "navigator"

    private static let service = Option.text(
        "service", value: "SERVICE", help: "Routing service (default: navigation.service)")
    private static let profile = Option(
        "profile", value: "PROFILE",
        help: "Routing profile: foot, bicycle, car or one of the service (default: navigation.profile)",
        expectation: "1 to 40 letters, digits, hyphens and underscores"
    ) { RoutingService.isProfile($0) ? $0 : nil }
    private static let json = Flag("json", help: "Print one JSON object per event")
    private static let config = Option.text(
        "config", value: "FILE", help: "Configuration file (default: /etc/waymark/waymark.toml)")

    static let syntax: Syntax = syntax(
        "Find the routes that displays ask for, and reroute, until Ctrl-C.",
        options: [service, profile, json, config],
        notes: """
            SERVICE is an OSRM or a Valhalla that you run, as for 'waymark route to'. One
            navigator at most is registered at the daemon, which may come and go. A wearer
            who has left a route to a destination is given another one.

            Exit status: 0 on a signal, 1 if another navigator is registered, 2 without a
            service.
            """)

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        ignoreSIGPIPE()
        let settings = try NavigationSettings(file: options[config], choice: try choice(options))
        guard let service = settings.service else {
            throw CommandError(
                code: .usage,
                description: "no routing service: set navigation.service in the configuration, or give --service")
        }
        let signals = try SignalDescriptor.ofInterruption()
        defer { while signals.next() != nil {} }
        let duty = NavigatorDuty(
            service, profile: options[profile] ?? settings.settings.profile, settings.settings,
            asJSON: options[json], signals: signals)
        let notifier = ServiceNotifier()
        notifier.ready(status: "finds routes by \(service)")
        defer { notifier.stopping() }
        return try duty.run()
    }

    private static func choice(_ options: ParsedOptions) throws(UsageError) -> NavigationSettings.Choice {
        guard let text = options[service] else { return .ofSettings }
        do throws(RoutingService.Problem) {
            return .named(try RoutingService(text))
        } catch {
            throw usageError("--service: '\(Words.line(text))' \(error)")
        }
    }
}
