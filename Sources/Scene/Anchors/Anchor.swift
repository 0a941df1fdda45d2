import Geodesy
import Geometry

/// Something that a client has placed itself.
public struct Anchor: Hashable, Sendable {
    /// What an anchor is fixed to.
    public enum Site: Hashable, Sendable {
        /// To the earth. The position's own height counts for heights above the ellipsoid and the sea only.
        case earth(GeodeticPosition, height: PlacementHeight)
        /// To the scene, as the wearer found it. Unit: metres.
        case scene(Vector3)
        /// To the route, at so many metres from its start, at the height of the wearer's eyes.
        case route(along: Double)
        /// To the wearer's head. Frame: body. Unit: metres.
        case head(Vector3)
    }

    /// How long an anchor stays if nobody removes it.
    public enum Lifetime: UInt8, Hashable, Sendable {
        /// As long as the connection on which it was placed.
        case connection
        /// As long as the daemon.
        case daemon
        /// Over the daemon's end; for what is fixed to the earth.
        case kept
    }

    /// What an anchor on the earth does when more becomes known of how the scene lies on it.
    public enum Policy: UInt8, Hashable, Sendable {
        /// It goes along with the published map.
        case follow
        /// It stays where it is in the scene, until that is clearly wrong.
        case hold
    }

    /// Unique among the anchors.
    public var id: String
    public var name: String
    /// Free text, such as `note`.
    public var category: String
    public var site: Site
    public var lifetime: Lifetime
    public var policy: Policy
    public var size: SizePolicy
    /// What else its client says, by name.
    public var properties: [String: String]

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

/// Why an anchor is not taken.
public enum AnchorProblem: Error, Hashable, Sendable {
    /// A part of it is out of its range, and why.
    case invalid(field: String, reason: String)
    /// Only what is fixed to the earth can be kept over the daemon's end.
    case cannotBeKept
    /// It is fixed to a route, and there is none.
    case noRoute
    /// It is fixed to the scene, and there is none before the first pose.
    case noScene
    /// Beyond a limit: of one client, or of all.
    case tooMany(limit: String, maximum: Int)
}
