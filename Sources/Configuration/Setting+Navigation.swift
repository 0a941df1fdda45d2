extension Setting {
    static let navigation: [Setting] = [
        Setting(
            .navigation, "service",
            .text(
                \.navigation.service,
                range: "\"osrm\", \"valhalla\", one of them with an address (\"osrm+http://HOST:PORT\"), or empty",
                check: SettingChecks.routingService),
            requiresRestart: false,
            "The routing service of your own that is asked where a command names none; empty: none, and routes are straight "
                + "lines. Without an address it is on this machine, at the port that is usual for it (5000 and 8002)."),
        Setting(
            .navigation, "profile",
            .text(
                \.navigation.profile, range: "1 to 40 letters, digits, hyphens and underscores",
                check: SettingChecks.routingProfile),
            requiresRestart: false,
            "For whom routes are: foot, bicycle, car, or a profile (OSRM) or costing (Valhalla) of the service's own."),
        Setting(
            .navigation, "timeout_seconds", .number(\.navigation.timeoutSeconds, 0.5...300), unit: "s",
            requiresRestart: false,
            "A service that has not answered in this time is given up; half of it is for the connection."),
        Setting(
            .navigation, "off_route_patience_seconds", .number(\.navigation.offRoutePatienceSeconds, 0...3600),
            unit: "s", requiresRestart: false,
            "With `--keep` another route is asked for when the wearer has been off the route for this time."),
        Setting(
            .navigation, "least_interval_seconds", .number(\.navigation.leastIntervalSeconds, 1...3600), unit: "s",
            requiresRestart: false,
            "From one question of `--keep` to the next; twice as long after each that failed or whose route the wearer is "
                + "not on either, up to ten minutes."),
    ]
}

extension SettingChecks {
    /// A routing service, or nothing.
    @Sendable static func routingService(_ text: String) -> String? {
        guard !text.isEmpty else { return nil }
        do throws(RoutingService.Problem) {
            _ = try RoutingService(text)
            return nil
        } catch {
            return error.description
        }
    }

    /// What stands in the path of a URL, or in a document, as it is.
    @Sendable static func routingProfile(_ text: String) -> String? {
        RoutingService.isProfile(text) ? nil : "must be 1 to 40 letters, digits, hyphens and underscores"
    }
}
