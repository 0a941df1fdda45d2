/// The navigator, which finds routes for the daemon. Poses do not depend on it, so its findings are warnings at most;
/// there are none where no navigator is wanted.
enum NavigatorRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        // One may run without its unit.
        if facts.daemon?.hasNavigator != true, let unit = facts.navigatorUnit, unit.file == "enabled",
            unit.active == "failed" || unit.active == "inactive"
        {
            return [stopped(unit)]
        }
        return facts.daemon?.lacksNavigator == true ? [missing] : []
    }

    /// The exit status of `waymark navigator` without a service, or with invalid settings.
    private static let configurationStatus = 2

    private static func stopped(_ unit: UnitFacts) -> Finding {
        let isUnset = unit.active == "failed" && unit.exitStatus == configurationStatus
        let restart = "sudo systemctl restart \(unit.name)"
        return .warning(
            .routingNavigatorStopped, unit.name,
            "enabled, but \(unit.active)" + (isUnset ? ": no routing service is set, or a setting is invalid" : ""),
            meaning: "displays get straight lines, and a wearer who leaves a route is not given another one",
            remedy: (isUnset ? "waymarkd --check-config" : "journalctl -u \(unit.name) -n 30") + "; \(restart)")
    }

    private static let missing = Finding.warning(
        .routingNoNavigator, "navigator", "a navigator has found the present route, and none is registered any more",
        meaning: "a wearer who leaves the route is not given another one",
        remedy: "sudo systemctl enable --now waymark-navigator.service  # or: waymark navigator")
}
