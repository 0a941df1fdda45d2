import Geodesy
import Geometry
import Messages
import Scene
import Varlink

/// The type `Anchor` of `org.waymark.Scene`, as it goes over the wire and into the place store.
struct AnchorMessage: Codable {
    struct Geo: Codable {
        var latitude: Double
        var longitude: Double
        var height: Double?
    }

    /// The type `HeadPoint`: straight ahead where nothing else is said.
    struct HeadPoint: Codable {
        var x: Double?
        var y: Double?
        var z: Double?

        func vector(_ settings: SceneSettings.Placements) -> Vector3 {
            let ahead = HeadLocked.pointInBody(settings: settings)
            return Vector3(x ?? ahead.x, y ?? ahead.y, z ?? ahead.z)
        }
    }

    /// The type `Way`: from where the wearer is now.
    struct Way: Codable {
        var bearing: Double
        var distance: Double
    }

    var id: String?
    var name: String?
    var category: String?
    var geo: Geo?
    /// Way to the anchor in a request; what is placed has `geo`.
    var way: Way?
    var heightKind: String?
    var position: VectorMessage?
    var generation: UInt32?
    var alongRoute: Double?
    var head: HeadPoint?
    var lifetime: String?
    var policy: String?
    var sizeDegrees: Double?
    var sizeMetres: Double?
    var properties: [String: String]?

    /// - Parameter generation: of the present scene.
    init(_ anchor: Anchor, generation: UInt32?) {
        id = anchor.id
        name = anchor.name.isEmpty ? nil : anchor.name
        category = anchor.category.isEmpty ? nil : anchor.category
        lifetime = anchor.lifetime.word
        policy = anchor.policy.word
        properties = anchor.properties.isEmpty ? nil : anchor.properties
        switch anchor.size {
        case .fading: break
        case .angular(let angle): sizeDegrees = Angle.degrees(radians: angle)
        case .metric(let metres): sizeMetres = metres
        }
        switch anchor.site {
        case .earth(let place, let height):
            geo = Geo(
                latitude: place.latitudeDegrees, longitude: place.longitudeDegrees, height: height.metresAndKind.metres)
            heightKind = height.metresAndKind.kind
        case .scene(let point):
            position = VectorMessage(point)
            self.generation = generation
        case .route(let along): alongRoute = along
        case .head(let point): head = HeadPoint(x: point.x, y: point.y, z: point.z)
        }
    }

    /// The anchor that is meant, whose values are still to be checked.
    ///
    /// - Parameter id: for one without.
    func anchor(
        id freshID: () -> String, settings: SceneSettings.Placements
    ) throws(AnchorProblem) -> Anchor {
        let anchor = Anchor(
            id: id ?? freshID(), name: name ?? "", category: category ?? "", site: try site(settings),
            lifetime: try Anchor.Lifetime(word: lifetime), policy: try Anchor.Policy(word: policy), size: try size(),
            properties: properties ?? [:])
        return anchor
    }

    /// The same with the place to which its way leads, if it has one.
    ///
    /// - Parameter start: where the wearer is.
    func settled(from start: GeodeticPosition) throws(AnchorProblem) -> AnchorMessage {
        guard let way else { return self }
        guard geo == nil else { throw .invalid(field: "way", reason: "cannot be combined with geo") }
        guard (0...Self.farthest).contains(way.distance), way.bearing.isFinite,
            let place = start.destination(bearing: Angle.radians(degrees: way.bearing), distance: way.distance)
        else {
            throw .invalid(field: "way", reason: "must have a bearing in degrees and a distance from 0 to 100000 m")
        }
        var settled = self
        settled.way = nil
        settled.geo = Geo(latitude: place.latitudeDegrees, longitude: place.longitudeDegrees)
        return settled
    }

    /// Largest component of a way. Unit: metres.
    private static let farthest = 100_000.0

    private func size() throws(AnchorProblem) -> SizePolicy {
        switch (sizeDegrees, sizeMetres) {
        case (nil, nil): return .fading
        case (let degrees?, nil): return .angular(Angle.radians(degrees: degrees))
        case (nil, let metres?): return .metric(metres)
        default: throw .invalid(field: "sizeMetres", reason: "cannot be combined with sizeDegrees")
        }
    }

    private func site(_ settings: SceneSettings.Placements) throws(AnchorProblem) -> Anchor.Site {
        let given = [geo != nil, position != nil, alongRoute != nil, head != nil].count { $0 }
        guard given == 1 else {
            throw .invalid(
                field: "geo", reason: "give exactly one of geo, way, position, alongRoute and head, not \(given)")
        }
        if heightKind != nil, geo == nil { throw .invalid(field: "heightKind", reason: "requires geo") }
        if generation != nil, position == nil { throw .invalid(field: "generation", reason: "requires position") }
        if let position { return .scene(position.vector) }
        if let head { return .head(head.vector(settings)) }
        if let alongRoute { return .route(along: alongRoute) }
        return try earth()
    }

    private func earth() throws(AnchorProblem) -> Anchor.Site {
        guard let geo else { preconditionFailure("one of the four is given") }
        let height = try PlacementHeight(metres: geo.height ?? 0, kind: heightKind)
        guard
            let place = GeodeticPosition(
                latitudeDegrees: geo.latitude, longitudeDegrees: geo.longitude, ellipsoidalHeight: 0)
        else {
            throw .invalid(field: "geo", reason: "is not on the earth: latitude up to ±90°, longitude up to ±540°")
        }
        return .earth(place, height: height)
    }
}

extension PlacementHeight {
    /// The words of the interface.
    init(metres: Double, kind: String?) throws(AnchorProblem) {
        switch kind ?? "eye" {
        case "eye": self = .eyeRelative(metres)
        case "ground": self = .groundRelative(metres)
        case "ellipsoid": self = .ellipsoidal(metres)
        case "sea": self = .meanSeaLevel(metres)
        default: throw .invalid(field: "heightKind", reason: "must be eye, ground, ellipsoid or sea")
        }
    }

    var metresAndKind: (metres: Double, kind: String) {
        switch self {
        case .eyeRelative(let metres): (metres, "eye")
        case .groundRelative(let metres): (metres, "ground")
        case .ellipsoidal(let metres): (metres, "ellipsoid")
        case .meanSeaLevel(let metres): (metres, "sea")
        }
    }
}

extension Anchor.Policy {
    var word: String {
        switch self {
        case .follow: "follow"
        case .hold: "hold"
        }
    }

    init(word: String?) throws(AnchorProblem) {
        switch word ?? "follow" {
        case "follow": self = .follow
        case "hold": self = .hold
        default: throw .invalid(field: "policy", reason: "must be follow or hold")
        }
    }
}

extension Anchor.Lifetime {
    var word: String {
        switch self {
        case .connection: "connection"
        case .daemon: "daemon"
        case .kept: "kept"
        }
    }

    init(word: String?) throws(AnchorProblem) {
        switch word ?? "connection" {
        case "connection": self = .connection
        case "daemon": self = .daemon
        case "kept": self = .kept
        default: throw .invalid(field: "lifetime", reason: "must be connection, daemon or kept")
        }
    }
}
