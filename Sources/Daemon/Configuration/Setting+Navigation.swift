extension Setting {
    static let navigation: [Setting] = [
        Setting(
            .navigation, "service",
            .text(
                \.navigation.service,
                range: "\"osrm\", \"valhalla\", one of them with an address (\"osrm+http://HOST:PORT\"), or empty",
                check: SettingChecks.routingService),
            requiresRestart: false,
            "Default routing service, run by yourself; empty: none, and routes are straight "
                + "lines. Without an address, localhost at the service's usual port is used (5000 and 8002)."),
        Setting(
            .navigation, "profile",
            .text(
                \.navigation.profile, range: "1 to 40 letters, digits, hyphens and underscores",
                check: SettingChecks.routingProfile),
            requiresRestart: false,
            "Routing profile: foot, bicycle, car, or another profile (OSRM) or costing (Valhalla) of the service."),
        Setting(
            .navigation, "timeout_seconds", .number(\.navigation.timeoutSeconds, 0.5...300), unit: "s",
            requiresRestart: false,
            "Timeout of requests to the service; half of it applies to the connection. The daemon waits a second "
                + "longer for the navigator."),
        Setting(
            .navigation, "off_route_patience_seconds", .number(\.navigation.offRoutePatienceSeconds, 0...3600),
            unit: "s", requiresRestart: false,
            "Reroute (`--keep` of `waymark route to`, and `waymark navigator`) when the wearer has been off the route "
                + "for this time."),
        Setting(
            .navigation, "least_interval_seconds", .number(\.navigation.minimumIntervalSeconds, 1...3600), unit: "s",
            requiresRestart: false,
            "Minimum interval between requests for a reroute; doubled, up to ten minutes, after each one that failed or "
                + "whose route the wearer is off again."),
    ]
}

extension SettingChecks {
    /// A routing service, or empty.
    @Sendable static func routingService(_ text: String) -> String? {
        guard !text.isEmpty else { return nil }
        do throws(RoutingService.Problem) {
            _ = try RoutingService(text)
            return nil
        } catch {
            return error.description
        }
    }

    /// Name of a profile, which is used unescaped in the path of a URL or in a document.
    @Sendable static func routingProfile(_ text: String) -> String? {
        RoutingService.isProfile(text) ? nil : "must be 1 to 40 letters, digits, hyphens and underscores"
    }
}
