import Geometry
import JSON
import Scene

/// Reader of routes and tracks in GPX 1.0 and 1.1.
///
/// Reads the first route or, if there is none, all segments of the first track. `ele` is above mean sea level, so a
/// point has a height only if it also has `geoidheight`, the geoid separation.
enum GPXDocument {
    static func read(_ text: ArraySlice<UInt8>) throws(DocumentProblem) -> RouteBuilder {
        let handler = GPXHandler()
        try XMLReader.read(text, handler: handler)
        guard handler.sawRoot else {
            throw DocumentProblem("no GPX: its outermost element is not gpx")
        }
        let found = handler.route ?? handler.track
        guard var builder = found else {
            let others = handler.waypoints > 0 ? "; its \(handler.waypoints) waypoints are places, not a way" : ""
            throw DocumentProblem("there is no route (rte) and no track (trk) in it\(others)")
        }
        builder.name = builder.name ?? handler.name
        return builder
    }
}

/// Handler of the elements of a GPX document.
private final class GPXHandler: XMLHandler {
    private(set) var sawRoot = false
    private(set) var route: RouteBuilder?
    private(set) var track: RouteBuilder?
    private(set) var waypoints = 0
    /// Name of the whole document.
    private(set) var name: String?

    private enum Line { case route, track }

    /// Line to which points are being added.
    private var line: Line?
    private var builder = RouteBuilder()
    private var point: (place: XMLPlace, latitude: Double, longitude: Double, elevation: Double?, geoid: Double?)?
    /// Names of the open elements, from the outermost.
    private var path: [String] = []

    func begin(_ name: String, attributes: [String: String], at place: XMLPlace) throws(DocumentProblem) {
        path.append(name)
        if path.count == 1 {
            guard name == "gpx" else {
                throw place.problem("no GPX: its outermost element is \(name)")
            }
            sawRoot = true
        }
        switch (path.count, name) {
        case (2, "rte") where route == nil: (line, builder) = (.route, RouteBuilder())
        case (2, "trk") where track == nil: (line, builder) = (.track, RouteBuilder())
        case (2, "wpt"): waypoints += 1
        case (3, "rtept") where line == .route, (4, "trkpt") where line == .track:
            let latitude = try PlaceDraft.degrees("lat", within: 90, of: attributes, place.problem)
            let longitude = try PlaceDraft.degrees("lon", within: 360, of: attributes, place.problem)
            point = (place, latitude, longitude, nil, nil)
        default: break
        }
    }

    func end(_ name: String, text: String, at place: XMLPlace) throws(DocumentProblem) {
        defer { path.removeLast() }
        switch (path.count, name) {
        case (2, "rte") where line == .route: (route, line) = (builder, nil)
        case (2, "trk") where line == .track: (track, line) = (builder, nil)
        case (3, "name") where line != nil: builder.name = text
        case (3, "name") where path[1] == "metadata", (2, "name"): self.name = text
        case (3, "rtept") where point != nil, (4, "trkpt") where point != nil: try endPoint()
        case (_, "ele") where point != nil: point?.elevation = try PlaceDraft.height(name, text, place.problem)
        case (_, "geoidheight") where point != nil: point?.geoid = try PlaceDraft.height(name, text, place.problem)
        default: break
        }
    }

    private func endPoint() throws(DocumentProblem) {
        guard let point else { return }
        self.point = nil
        var height = 0.0
        if let elevation = point.elevation, let geoid = point.geoid { height = elevation + geoid }
        let position = GeodeticPosition(
            latitudeDegrees: point.latitude, longitudeDegrees: point.longitude, ellipsoidalHeight: height)
        guard let position else { throw point.place.problem("a position that is nowhere") }
        try builder.add(position, at: point.place.text)
    }
}
