import Geometry

/// Placement made by a client.
public struct Anchor: Hashable, Sendable {
    /// Frame to which an anchor is fixed.
    public enum Site: Hashable, Sendable {
        /// Fixed to the earth. `height` contains the height with its reference; the height in the position is not used.
        case earth(GeodeticPosition, height: PlacementHeight)
        /// Fixed to a point of the scene. Unit: metres.
        case scene(Vector3)
        /// Fixed to the route at a distance from its start, and as high above the ground as the wearer's eyes. Unit:
        /// metres.
        case route(along: Double)
        /// Fixed to the wearer's head. Frame: body. Unit: metres.
        case head(Vector3)
    }

    /// Lifetime of an anchor that no client removes.
    public enum Lifetime: UInt8, Hashable, Sendable {
        /// Until the connection that placed the anchor is closed.
        case connection
        /// Until the daemon stops.
        case daemon
        /// Persistent across restarts of the daemon. Only for anchors fixed to the earth.
        case kept
    }

    /// Behaviour of an anchor on the earth when the alignment of the scene with the earth changes.
    public enum Policy: UInt8, Hashable, Sendable {
        /// The anchor follows the published map.
        case follow
        /// The anchor stays where it is in the scene until its position is wrong by a significant distance.
        case hold
    }

    /// Identifier, unique among the anchors.
    public var id: String
    /// Name for the anchor's label; empty if there is none.
    public var name: String
    /// Free text, such as `note`.
    public var category: String
    /// Frame and position to which the anchor is fixed.
    public var site: Site
    /// Lifetime, unless a client removes the anchor earlier.
    public var lifetime: Lifetime
    /// Behaviour when the alignment changes. `hold` is only for anchors fixed to the earth.
    public var policy: Policy
    /// Size as a function of distance.
    public var size: SizePolicy
    /// Further properties that the anchor's client has set, by name.
    public var properties: [String: String]

    package init(
        id: String, name: String = "", category: String = "", site: Site, lifetime: Lifetime = .connection,
        policy: Policy = .follow, size: SizePolicy = .fading, properties: [String: String] = [:]
    ) {
        self.id = id
        self.name = name
        self.category = category
        self.site = site
        self.lifetime = lifetime
        self.policy = policy
        self.size = size
        self.properties = properties
    }
}

/// Reason for refusing an anchor.
public enum AnchorProblem: Error, Hashable, Sendable {
    /// The value of a property is not allowed, for the given reason.
    case invalid(field: String, reason: String)
    /// An anchor that is not fixed to the earth cannot be persistent.
    case cannotBeKept
    /// The anchor is fixed to a route, but there is no route.
    case noRoute
    /// The anchor is fixed to the scene, but there is no pose yet.
    case noScene
    /// The number of anchors of one client, or of all clients, has reached its limit.
    case tooMany(limit: String, maximum: Int)
}

extension Anchor {
    /// Maximum length of an identifier, in bytes of UTF-8.
    static let idBytes = 128
    /// Maximum length of a name or category, in bytes of UTF-8.
    static let nameBytes = 256
    /// Maximum total length of all properties, in bytes of UTF-8.
    static let propertyBytes = 4096
    static let maximumPropertyCount = 32
    /// Greatest distance from the scene's origin. At larger distances, the single precision of renderers is coarser
    /// than a centimetre. Unit: metres.
    static let reach = 100_000.0
    /// Greatest size. Unit: metres.
    static let maximumSize = 10_000.0

    /// Throws an error if the anchor is invalid.
    ///
    /// - Parameter routeLength: length of the current route in metres; nil without a route.
    func check(routeLength: Double?) throws(AnchorProblem) {
        try Self.require(!id.isEmpty, "id", "is empty")
        try Self.check(id, "id", Self.idBytes)
        try Self.check(name, "name", Self.nameBytes)
        try Self.check(category, "category", Self.nameBytes)
        try checkProperties()
        try checkSize()
        try checkSite(routeLength)
        if policy == .hold {
            guard case .earth = site else {
                throw .invalid(
                    field: "policy",
                    reason: "hold is for anchors on the earth (geo or way): leave it out, the others stay as they are")
            }
        }
        if lifetime == .kept {
            guard case .earth = site else { throw .cannotBeKept }
        }
    }

    private func checkSite(_ routeLength: Double?) throws(AnchorProblem) {
        switch site {
        case .earth(_, let height):
            try Self.require(height.metres.isFinite, "height", "is no number")
            try Self.require(height.metres.magnitude <= Self.reach, "height", "is farther than anything is seen")
        case .scene(let point): try Self.checkPoint(point, "position")
        case .head(let point): try Self.checkPoint(point, "head")
        case .route(let along):
            guard let routeLength else { throw .noRoute }
            try Self.require(
                (0...routeLength).contains(along), "alongRoute",
                "is not on the route, which is \(Int(routeLength)) m long")
        }
    }

    private static func checkPoint(_ point: Vector3, _ field: String) throws(AnchorProblem) {
        try require(point.isFinite, field, "has a part that is no number")
        try require(point.norm <= reach, field, "is beyond \(Int(reach)) m from the origin")
    }

    private func checkSize() throws(AnchorProblem) {
        switch size {
        case .fading: return
        case .angular(let angle):
            try Self.require(angle > 0 && angle < .pi, "sizeDegrees", "is not above 0° and below 180°")
        case .metric(let metres):
            try Self.require(
                metres > 0 && metres <= Self.maximumSize, "sizeMetres", "is not above 0 m and at most 10 km")
        }
    }

    private func checkProperties() throws(AnchorProblem) {
        try Self.require(
            properties.count <= Self.maximumPropertyCount, "properties", "are more than \(Self.maximumPropertyCount)")
        let bytes = properties.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        try Self.require(
            bytes <= Self.propertyBytes, "properties", "are longer than \(Self.propertyBytes) bytes together")
    }

    private static func check(_ text: String, _ field: String, _ maximum: Int) throws(AnchorProblem) {
        try require(text.utf8.count <= maximum, field, "is longer than \(maximum) bytes")
    }

    private static func require(_ holds: Bool, _ field: String, _ reason: String) throws(AnchorProblem) {
        if !holds { throw .invalid(field: field, reason: reason) }
    }
}

extension PlacementHeight {
    /// Height above the reference that its kind names. Unit: metres.
    var metres: Double {
        switch self {
        case .unstated: 0
        case .eyeRelative(let metres), .groundRelative(let metres), .roofRelative(let metres),
            .ellipsoidal(let metres), .meanSeaLevel(let metres):
            metres
        }
    }
}
