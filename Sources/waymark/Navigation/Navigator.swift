import Geodesy
import Navigation
import WaymarkClient

/// Gives the daemon routes to one destination.
struct Navigator {
    let destination: Destination
    let finder: RouteFinder
    /// Identifier of all routes that it computes.
    let id: String

    init(to destination: Destination, by finder: RouteFinder) {
        self.destination = destination
        self.finder = finder
        // A unique id distinguishes this route from that of another client.
        id = "to-" + String(UInt64.random(in: 0 ... .max), radix: 36)
    }

    /// From where the wearer is now.
    ///
    /// - Parameter cancel: a descriptor that ends the wait for the service when it is readable.
    /// - Throws: `CommandError` where there is no position yet, `RoutingProblem`, `WaymarkError`.
    func find(by client: WaymarkClient, cancel: Int32? = nil) throws -> RouteFinding {
        let position = try WearerPosition.of(client.pose()).position
        guard let finding = try finder.find(from: position, to: destination.position, cancel: cancel) else {
            throw CommandError.failed("already at the destination: \(destination.name) is less than a metre away")
        }
        return finding
    }

    /// - Parameter again: only in the place of a route that it gave before.
    func set(_ finding: RouteFinding, by client: WaymarkClient, again: Bool = false) throws(WaymarkError) -> Route {
        try client.setRoute(
            document: finding.document,
            WaymarkClient.RouteOptions(
                format: finding.format, precision: finding.precision, id: id, name: destination.name,
                replaces: again ? id : nil))
    }
}
