import Geometry
import Messages
import Scene
import WaymarkInterface

/// Converts anchors to and from the wire format, which the place store uses too.
extension Anchor {
    /// - Parameter generation: generation of the present scene.
    func message(generation: UInt32?) -> SceneInterface.Anchor {
        var message = SceneInterface.Anchor(
            id: id, name: name.isEmpty ? nil : name, category: category.isEmpty ? nil : category,
            lifetime: OpenWord(lifetime.message), policy: OpenWord(policy.message),
            properties: properties.isEmpty ? nil : properties)
        switch size {
        case .fading: break
        case .angular(let angle): message.sizeDegrees = Angle.degrees(radians: angle)
        case .metric(let metres): message.sizeMetres = metres
        }
        switch site {
        case .earth(let place, let height):
            message.geo = SceneInterface.Location(
                latitude: place.latitudeDegrees, longitude: place.longitudeDegrees,
                height: height == .unstated ? nil : height.metres)
            message.heightKind = height == .unstated ? nil : OpenWord(height.kind)
        case .scene(let point):
            message.position = point.message
            message.generation = generation.map { Int($0) }
        case .route(let along): message.alongRoute = along
        case .head(let point): message.head = SceneInterface.HeadPoint(x: point.x, y: point.y, z: point.z)
        }
        return message
    }

    /// Makes an anchor from a message. Its values are checked later, by `AnchorRegistry.place`.
    ///
    /// - Parameters:
    ///   - start: the wearer's position, from which a `way` leads; nil while it is not known.
    ///   - freshID: makes an id for a message that has none.
    init(
        _ message: SceneInterface.Anchor, from start: GeodeticPosition? = nil, settings: SceneSettings.Placements,
        freshID: () -> String
    ) throws(AnchorProblem) {
        let message = try start.map { start throws(AnchorProblem) in try message.resolvingWay(from: start) } ?? message
        self.init(
            id: message.id ?? freshID(), name: message.name ?? "", category: message.category ?? "",
            site: try Site(message, settings), lifetime: try Lifetime(message.lifetime),
            policy: try Policy(message.policy), size: try SizePolicy(message), properties: message.properties ?? [:])
    }
}

extension SceneInterface.Anchor {
    /// Largest distance of a way. Unit: metres.
    private static let maximumDistance = 100_000.0

    /// Returns the same anchor. If it has a `way`, its position is the place to which the `way` leads.
    ///
    /// - Parameter start: the wearer's position.
    fileprivate func resolvingWay(from start: GeodeticPosition) throws(AnchorProblem) -> SceneInterface.Anchor {
        guard let way else { return self }
        guard geo == nil else { throw .invalid(field: "way", reason: "cannot be combined with geo") }
        guard (0...Self.maximumDistance).contains(way.distance), way.bearing.isFinite,
            let place = start.destination(bearing: Angle.radians(degrees: way.bearing), distance: way.distance)
        else {
            throw .invalid(field: "way", reason: "must have a bearing in degrees and a distance from 0 to 100000 m")
        }
        var resolved = self
        resolved.way = nil
        resolved.geo = SceneInterface.Location(latitude: place.latitudeDegrees, longitude: place.longitudeDegrees)
        return resolved
    }
}

extension Anchor.Site {
    fileprivate init(
        _ message: SceneInterface.Anchor, _ settings: SceneSettings.Placements
    ) throws(AnchorProblem) {
        let given = [message.geo != nil, message.position != nil, message.alongRoute != nil, message.head != nil]
            .count { $0 }
        guard given == 1 else {
            throw .invalid(
                field: "geo", reason: "give exactly one of geo, way, position, alongRoute and head, not \(given)")
        }
        if message.heightKind != nil, message.geo == nil { throw .invalid(field: "heightKind", reason: "requires geo") }
        if message.generation != nil, message.position == nil {
            throw .invalid(field: "generation", reason: "requires position")
        }
        if let position = message.position {
            self = .scene(Vector3(position))
        } else if let head = message.head {
            let ahead = HeadLocked.pointInBody(settings: settings)
            self = .head(Vector3(head.x ?? ahead.x, head.y ?? ahead.y, head.z ?? ahead.z))
        } else if let alongRoute = message.alongRoute {
            self = .route(along: alongRoute)
        } else if let geo = message.geo {
            try self.init(geo, message.heightKind)
        } else {
            preconditionFailure("one of the four is given")
        }
    }

    private init(
        _ geo: SceneInterface.Location, _ heightKind: OpenWord<SceneInterface.HeightKind>?
    ) throws(AnchorProblem) {
        let isUnstated = heightKind == nil && geo.height == nil
        guard let kind = (heightKind ?? .known(.eye)).known else {
            throw .invalid(field: "heightKind", reason: "must be eye, ground, roof, ellipsoid or sea")
        }
        guard
            let place = GeodeticPosition(
                latitudeDegrees: geo.latitude, longitudeDegrees: geo.longitude, ellipsoidalHeight: 0)
        else {
            throw .invalid(field: "geo", reason: "is not on the earth: latitude up to ±90°, longitude up to ±540°")
        }
        self = .earth(place, height: isUnstated ? .unstated : PlacementHeight(geo.height ?? 0, above: kind))
    }
}

extension SizePolicy {
    fileprivate init(_ message: SceneInterface.Anchor) throws(AnchorProblem) {
        switch (message.sizeDegrees, message.sizeMetres) {
        case (nil, nil): self = .fading
        case (let degrees?, nil): self = .angular(Angle.radians(degrees: degrees))
        case (nil, let metres?): self = .metric(metres)
        default: throw .invalid(field: "sizeMetres", reason: "cannot be combined with sizeDegrees")
        }
    }
}

extension Anchor.Policy {
    fileprivate var message: SceneInterface.AnchorPolicy {
        switch self {
        case .follow: .follow
        case .hold: .hold
        }
    }

    fileprivate init(_ message: OpenWord<SceneInterface.AnchorPolicy>?) throws(AnchorProblem) {
        switch message {
        case nil, .known(.follow): self = .follow
        case .known(.hold): self = .hold
        case .unknown: throw .invalid(field: "policy", reason: "must be follow or hold")
        }
    }
}

extension Anchor.Lifetime {
    fileprivate var message: SceneInterface.Lifetime {
        switch self {
        case .connection: .connection
        case .daemon: .daemon
        case .kept: .kept
        }
    }

    fileprivate init(_ message: OpenWord<SceneInterface.Lifetime>?) throws(AnchorProblem) {
        switch message {
        case nil, .known(.connection): self = .connection
        case .known(.daemon): self = .daemon
        case .known(.kept): self = .kept
        case .unknown: throw .invalid(field: "lifetime", reason: "must be connection, daemon or kept")
        }
    }
}
