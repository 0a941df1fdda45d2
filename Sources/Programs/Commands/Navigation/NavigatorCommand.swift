import Configuration
import Linux

/// `waymark navigator`: finds routes for the daemon until a signal ends the command. The daemon itself never uses the
/// network.
extension Command {
    static let navigator = Command(
        "navigator", "Find the routes that displays ask for, and reroute, until Ctrl-C.",
        options: [
            NavigationSettings.service, NavigationSettings.profile, NavigationSettings.json, Option.config,
        ],
        notes: """
            SERVICE is an OSRM or a Valhalla that you run, as for 'waymark route to'. One
            navigator at most is registered at the daemon, which may come and go. A wearer
            who has left a route to a destination is given another one.

            Exit status: 0 on a signal, 1 if another navigator is registered, 2 without a
            service.
            """
    ) { options in
        ignoreSIGPIPE()
        let settings = try NavigationSettings(options)
        guard let service = settings.service else {
            throw CommandError(
                code: .usage,
                description: "no routing service: set navigation.service in the configuration, or give --service")
        }
        let signals = try SignalDescriptor.ofInterruption()
        defer { while signals.next() != nil {} }
        let duty = NavigatorDuty(
            service, profile: settings.profile, settings.settings, asJSON: options[.json], signals: signals)
        let notifier = ServiceNotifier()
        notifier.ready(status: "finds routes by \(service)")
        defer { notifier.stopping() }
        return try duty.run()
    }
}
