import Geodesy
import Geometry

/// Placement made by a client.
public struct Anchor: Hashable, Sendable {
    /// Frame to which an anchor is fixed.
    public enum Site: Hashable, Sendable {
        /// Fixed to the earth. The position's own height counts only for heights above the ellipsoid and mean sea
        /// level.
        case earth(GeodeticPosition, height: PlacementHeight)
        /// Fixed to a point of the scene. Unit: metres.
        case scene(Vector3)
        /// Fixed to the route at a distance from its start, at the height of the wearer's eyes. Unit: metres.
        case route(along: Double)
        /// Fixed to the wearer's head. Frame: body. Unit: metres.
        case head(Vector3)
    }

    /// Lifetime of an anchor that is not removed.
    public enum Lifetime: UInt8, Hashable, Sendable {
        /// Until the connection that placed it closes.
        case connection
        /// Until the daemon stops.
        case daemon
        /// Persistent across restarts of the daemon; for anchors fixed to the earth.
        case kept
    }

    /// Behaviour of an anchor on the earth when the alignment of the scene with the earth changes.
    public enum Policy: UInt8, Hashable, Sendable {
        /// It follows the published map.
        case follow
        /// It stays where it is in the scene until its position is significantly wrong.
        case hold
    }

    /// Identifier, unique among the anchors.
    public var id: String
    /// Name for its label; empty for none.
    public var name: String
    /// Free text, such as `note`.
    public var category: String
    /// Frame and position to which the anchor is fixed.
    public var site: Site
    /// Lifetime if nobody removes it.
    public var lifetime: Lifetime
    /// Behaviour when the alignment changes; `hold` is for anchors on the earth.
    public var policy: Policy
    /// Size as a function of distance.
    public var size: SizePolicy
    /// Further properties from its client, by name.
    public var properties: [String: String]

    /// Anchor with the given properties.
    public init(
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

/// Reason for which an anchor is refused.
public enum AnchorProblem: Error, Hashable, Sendable {
    /// Property that is out of its range, with the reason.
    case invalid(field: String, reason: String)
    /// Persistence of an anchor that is not fixed to the earth.
    case cannotBeKept
    /// Anchor fixed to a route while there is none.
    case noRoute
    /// Anchor fixed to the scene before the first pose.
    case noScene
    /// Limit on the number of anchors: of one client or of all.
    case tooMany(limit: String, maximum: Int)
}
