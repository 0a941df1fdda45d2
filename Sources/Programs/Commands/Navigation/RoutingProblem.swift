import Configuration
import Documents
import JSON

/// Reason why a routing service returned no route, with the remedy.
package enum RoutingProblem: Error, Hashable, Sendable {
    /// libcurl cannot be loaded.
    case noTransport(reason: String)
    case cancelled
    case outOfMemory
    /// There was no response, or the connection was closed.
    case noAnswer(RoutingService, reason: String)
    case noConnection(RoutingService, seconds: Double)
    case timedOut(RoutingService, seconds: Double)
    case tooLong(RoutingService)
    case redirected(RoutingService, to: String)
    /// The service rejected the request, with this message.
    case refused(RoutingService, String)
    case failed(RoutingService, status: Int)
    case notJSON(RoutingService, type: String)
    /// The response is not a valid route.
    case invalid(RoutingService, DocumentProblem)
    /// The route does not begin, or end, at the requested position. Unit: metres.
    case elsewhere(RoutingService, end: String, distance: Double)
}

extension RoutingProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noTransport(let reason):
            "a routing service cannot be asked without libcurl (\(reason)): install it with `sudo apt-get install "
                + "libcurl4` (Debian 12) or `sudo apt-get install libcurl4t64` (Debian 13)"
        case .cancelled: "cancelled"
        case .outOfMemory: "not enough memory for the answer of the routing service"
        case .noAnswer(let service, let reason):
            "no answer from \(service): \(reason); is it running? --service names another, --straight asks none"
        case .noConnection(let service, let seconds):
            "no connection to \(service) within \(seconds) s, half of navigation.timeout_seconds: is that its address?"
        case .timedOut(let service, let seconds):
            "no answer from \(service) within \(seconds) s (navigation.timeout_seconds)"
        case .tooLong(let service):
            "the answer of \(service) is longer than \(RouteDocument.maximumSize >> 20) MiB, the limit for a route"
        case .redirected(let service, let place):
            "\(service) sends on to '\(place)', which was not asked: if that is yours too, name it with --service"
        case .refused(let service, let words): "\(service): \(words)"
        case .failed(let service, let status):
            "\(service) answered with the HTTP status \(status): is that the address of \(Self.product(service))?"
        case .notJSON(let service, let type):
            "\(service) answered with '\(type)' instead of JSON: is that the address of \(Self.product(service))?"
        case .invalid(let service, let problem): "the answer of \(service) is not understood: \(problem)"
        case .elsewhere(let service, let end, let distance):
            "the route of \(service) \(end)s \(Int(distance)) m from where it should: its map has no way nearby"
        }
    }

    static func product(_ service: RoutingService) -> String {
        switch service.kind {
        case .osrm: "an OSRM"
        case .valhalla: "a Valhalla"
        }
    }
}
