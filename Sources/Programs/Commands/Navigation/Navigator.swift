import Configuration
import Documents
import Geometry
import Scene
import WaymarkClient

/// Finds routes to one destination and sets them in the daemon.
package struct Navigator {
    let destination: NavigationDestination
    let finder: RouteFinder
    /// Identifier that all routes of this navigator have.
    package let id: String

    package init(to destination: NavigationDestination, by finder: RouteFinder) {
        self.destination = destination
        self.finder = finder
        // A unique id distinguishes these routes from those of other clients.
        id = "to-" + String(UInt64.random(in: 0 ... .max), radix: 36)
    }

    /// Finds a route from the wearer's current position.
    ///
    /// - Parameter cancel: a descriptor that ends the wait for the service when it is readable.
    /// - Throws: `CommandError` if there is no position yet, `RoutingProblem`, `WaymarkError`.
    func find(by client: Waymark.Client, cancel: Int32? = nil) throws -> RouteFinding {
        let position = try WearerPosition.of(client.pose()).position
        guard let finding = try finder.find(from: position, to: destination.position, cancel: cancel) else {
            throw CommandError.failed("already at the destination: \(destination.name) is less than a metre away")
        }
        return finding
    }

    /// - Parameter again: whether to set the route only in place of an earlier route of this navigator.
    func set(_ finding: RouteFinding, by client: Waymark.Client, again: Bool = false) throws(WaymarkError)
        -> Waymark.Route
    {
        try client.setRoute(
            document: finding.document,
            Waymark.RouteRequest(
                format: Waymark.RouteFormat(word: finding.format), precision: finding.precision, id: id,
                name: destination.name,
                replaces: again ? id : nil))
    }
}

/// Destination of a route: a point on the earth, or a place that the daemon knows.
package struct NavigationDestination {
    let name: String
    /// Identifier of the place; nil for a bare position.
    let id: String?
    let position: GeodeticPosition

    /// Makes the destination of the daemon's route.
    ///
    /// - Throws: if its location is invalid, which no daemon sends.
    init(_ destination: Waymark.Destination) throws(WaymarkError) {
        (name, id) = (destination.name, destination.place)
        guard let position = GeodeticPosition(destination.geo.latitude, destination.geo.longitude) else {
            throw .unexpected("a destination that is not on the earth")
        }
        self.position = position
    }

    /// Makes a request to the daemon for a route to this destination.
    ///
    /// - Parameter profile: routing profile; nil for the navigator's.
    func request(profile: String?) -> Waymark.DestinationRequest {
        let location = Waymark.Location(latitude: position.latitudeDegrees, longitude: position.longitudeDegrees)
        return Waymark.DestinationRequest(
            place: id, location: id == nil ? location : nil, name: name, profile: profile, straightLine: false)
    }

    /// Finds the destination that a text names: `LAT,LON`, a geo: URI, or a place by its id or name.
    ///
    /// - Throws: `CommandError` if no place or several places have this name.
    package init(_ text: String, by client: Waymark.Client) throws {
        if let position = try Self.point(text) {
            let degrees = [position.latitudeDegrees, position.longitudeDegrees].map { "\(($0 * 1e6).rounded() / 1e6)" }
            (name, id) = (degrees.joined(separator: ", "), nil)
            self.position = position
        } else {
            let place = try Self.place(text, among: try client.searchPlaces(text, limit: Self.maximumCandidateCount))
            guard let position = GeodeticPosition(place.geo.latitude, place.geo.longitude) else {
                throw CommandError.failed("the position of '\(Words.line(place.name))' on the earth is not known")
            }
            (name, id) = (place.name, place.id)
            self.position = position
        }
    }

    /// Number of places to request: the daemon's maximum, because many nearby places whose names contain the text may
    /// come before a farther one with exactly this name.
    private static let maximumCandidateCount = 100
    /// Maximum number of candidates that are listed.
    private static let maximumLineCount = 10

    private static func point(_ text: String) throws -> GeodeticPosition? {
        guard text.lowercased().hasPrefix("geo:") else {
            return PlaceOptions.point(text).flatMap { GeodeticPosition($0.latitude, $0.longitude) }
        }
        do throws(GeoURIProblem) {
            return try GeoURI(parsing: text).position
        } catch {
            throw UsageError(
                message: "'\(Words.line(text))' is not a valid geo: URI: \(error)", program: Command.routeTo.syntax.name
            )
        }
    }

    private static func place(_ text: String, among found: [Waymark.Place]) throws(CommandError) -> Waymark.Place {
        switch PlaceChoice(text, among: found) {
        case .one(let place): return place
        case .none:
            throw .failed(
                "no place '\(Words.line(text))' found: search for part of a name with 'waymark places search', "
                    + "add places with 'waymark places import', or give LAT,LON")
        case .several(let candidates):
            let table = PlaceText.table(Array(candidates.prefix(maximumLineCount))).map { "\n  \($0)" }.joined()
            throw .failed("'\(Words.line(text))' is ambiguous; choose a place by its id:\(table)")
        }
    }
}
