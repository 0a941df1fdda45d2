import Geometry
import Model

/// Object to draw, with everything that a renderer needs except what depends on the display.
public struct Placement: Hashable, Sendable {
    /// Kind of placement.
    public enum Kind: UInt8, Hashable, Sendable {
        case place
        /// Several places that are too close together to be shown separately.
        case cluster
        /// Point at which a wearer who has left the route gets back to it.
        case route
        /// Arrow that moves along the route.
        case arrow
        /// A coarse mark on the route.
        case node
        case start
        case turn
        case destination
        /// Anchor of a client.
        case anchor

        /// Whether this is one of the many small elements of a route that lie on the ground.
        var liesOnTheGround: Bool { self == .arrow || self == .node }
    }

    /// Frame to which a placement is fixed.
    public enum Lock: UInt8, Hashable, Sendable {
        case scene
        /// Fixed to the wearer's head: positions are in the body frame.
        case head
    }

    /// Identifier, which is unique in the scene and constant for as long as the object is there.
    public var id: String
    package var kind: Kind
    /// Name for the label; empty if there is none.
    public var name: String = ""
    /// Whether the placement has a name. True for a turn too, because displays have words for it, such as "left".
    var hasName: Bool { !name.isEmpty || kind == .turn }
    /// Category, such as `cafe`; empty if there is none.
    public var category: String = ""
    /// Frame to which the placement is fixed.
    public var lock = Lock.scene
    /// True position. Frame: scene, or body for head-locked placements. Unit: metres.
    public var position: Vector3
    /// Distance from the eye, in the true direction, at which the placement has to be drawn. Unit: metres.
    public var displayDistance: Double
    /// Yaw about the scene's up axis at which a billboard faces the wearer, counter-clockwise from facing south (+z).
    /// Unit: radians.
    public var billboardYaw: Double
    /// Bearing from the wearer, clockwise from true north, radians in [0, 2π); nil while north is unknown.
    public var bearing: Double?
    /// Straight-line distance from the wearer. Unit: metres.
    public var distance: Double
    /// Distance as shown on labels; nil for arrows and nodes. Unit: metres.
    public var shownDistance: Int?
    /// Distance along the route from the route point nearest to the wearer, for placements ahead on the route. Unit:
    /// metres.
    public var alongRoute: Double?
    /// Distance along the route as shown on labels. Unit: metres.
    public var shownAlongRoute: Int?
    /// Dependence of the size on the distance.
    public var sizePolicy: SizePolicy
    package var size: ApparentSize
    /// Distance band of a place, cluster or anchor; nil for other kinds.
    public var band: DistanceBand?
    /// Drawing order. The farthest placement has the least number and is drawn first. Numbers are unique and may have
    /// gaps.
    public var order = 0
    /// Slot of the label; nil if no label is visible.
    public var slot: LabelSlot?
    /// Standard deviation of the direction in which the wearer sees the placement; nil if unknown. Unit: radians.
    public var sigma: Double?
    /// Whether the terrain or a building is between the placement and the wearer's eyes; nil if unknown.
    public var isOccluded: Bool?
    /// Pulse of the destination's mark; nil if there is none.
    public var pulse: Pulse?
    /// Side of a turn; nil for other kinds.
    public var side: RouteTurn.Side?
    /// Kind of turn; nil for other kinds.
    public var maneuver: RouteTurn.Kind?
    /// Whether the placement is a favourite, or a cluster that contains one.
    public var isFavorite = false
    /// Identifiers of the placements in a cluster; empty for other kinds.
    public var members: [String] = []
    /// Properties from the source of a place or the client of an anchor, by name.
    public var properties: [String: String] = [:]
    /// Details of a place under uniform names, derived from `properties`; nil if there are none.
    public var details: PlaceDetails?
    /// Direction of the route, for placements on it: yaw about the scene's up axis, counter-clockwise from facing north
    /// (−z). A model that faces −z then faces along the route. Unit: radians.
    public var course: Double?
    /// Path that an arrow takes in each period of `SceneContent.motion`, linear between points.
    public var path: [PathPoint] = []
}

/// Point in the scene on the path from one arrow to the next.
public struct PathPoint: Hashable, Sendable {
    /// Fraction of the path, in [0, 1].
    public var share: Double
    /// Position. Frame: scene. Unit: metres.
    public var position: Vector3
    /// Direction of the route at this point, as in `Placement.course`. Unit: radians.
    public var course: Double
}

/// Identifiers of placements. Each consists of a prefix for the kind and the object's own identifier, so that it is
/// unique.
public enum PlacementID {
    package static func place(_ id: String) -> String { "place/" + id }

    /// Returns a place's own identifier; nil for other placements.
    public static func placeID(in placement: String) -> String? {
        placement.hasPrefix("place/") ? String(placement.dropFirst(6)) : nil
    }

    package static func anchor(_ id: String) -> String { "anchor/" + id }

    /// Returns the identifier of the placement of a route's element, whose own identifier contains that of the route.
    public static func route(_ piece: String) -> String { "route/" + piece }
}

/// Placement as a particular display shows it.
public struct ViewedPlacement: Hashable, Sendable {
    /// Point on a radar of radius 1, with the wearer at the origin.
    public struct RadarPoint: Hashable, Sendable {
        /// Component to the right.
        public var x: Double
        /// Component ahead.
        public var y: Double
    }

    package var placement: Placement
    /// Revision of the view in which the placement last changed.
    public var revision: UInt64
    package var isVisible: Bool
    /// Hint on the border of the display; nil for placements that are visible or less important.
    public var hint: OffscreenHint?
    /// Point on the radar; nil without a heading, and for displays without a radar.
    public var radar: RadarPoint?
}
