import Geometry
import Model

/// One thing to draw, and all that a renderer needs for it but the display it draws on.
public struct Placement: Hashable, Sendable {
    public enum Kind: UInt8, Hashable, Sendable {
        case place
        /// Several places that lie too close together to be told apart.
        case cluster
        /// The nearest point of the route, for a wearer who has left it.
        case route
        /// Of those that move along the route.
        case arrow
        /// A coarse mark on the route.
        case node
        case start
        case turn
        case destination
        /// What a client has placed.
        case anchor
    }

    /// What a placement stays with.
    public enum Lock: UInt8, Hashable, Sendable {
        case scene
        /// With the wearer's head: positions are in the body's axes.
        case head
    }

    /// Unique in the scene; the same thing keeps it for as long as it is there.
    public var id: String
    public var kind: Kind
    public var name: String = ""
    /// Such as `cafe`; empty where there is none.
    public var category: String = ""
    public var lock = Lock.scene
    /// Where it truly is. Frame: scene, or body for what is locked to the head. Unit: metres.
    public var position: Vector3
    /// From the eye, in the true direction, where it is to be drawn. Unit: metres.
    public var displayDistance: Double
    /// For a billboard that faces the wearer, about the scene's up, counter-clockwise from facing south (+z). Unit: radians.
    public var billboardYaw: Double
    /// Clockwise from true north, radians in [0, 2π); nil while north is not known.
    public var bearing: Double?
    /// From the wearer, in a straight line. Unit: metres.
    public var distance: Double
    /// The distance as it is to be written.
    public var distanceText: String?
    /// From the nearest point of the route, along it, for what lies ahead on it. Unit: metres.
    public var alongRoute: Double?
    /// That distance as it is to be written.
    public var alongRouteText: String?
    public var sizePolicy: SizePolicy
    public var size: ApparentSize
    public var band: DistanceBand?
    /// In which placements are drawn: the farthest, which has the least number, first. The numbers are different and have gaps.
    public var order = 0
    public var slot: LabelSlot?
    /// How far off it may be seen, one standard deviation; nil is not known. Unit: radians.
    public var sigma: Double?
    public var pulse: Pulse?
    /// Of a turn.
    public var side: RouteTurn.Side?
    /// Of a turn.
    public var maneuver: RouteTurn.Kind?
    public var isFavorite = false
    /// Of a cluster: the placements' ids that it stands for.
    public var members: [String] = []
    public var properties: [String: String] = [:]
    /// Of a place: what is known of it, under our own names; nil for nothing. The same for the same properties.
    public var details: PlaceDetails?
    /// In which the route leads, for what lies on it: about the scene's up, counter-clockwise from facing north (−z), so that
    /// a thing that is modelled to face −z faces along it. Unit: radians.
    public var course: Double?
    /// Of an arrow: its way in each period of `SceneContent.motion`, straight from point to point.
    public var path: [PathPoint] = []

    init(
        id: String, kind: Kind, position: Vector3, displayDistance: Double, billboardYaw: Double, bearing: Double?,
        distance: Double, sizePolicy: SizePolicy, size: ApparentSize
    ) {
        self.id = id
        self.kind = kind
        self.position = position
        self.displayDistance = displayDistance
        self.billboardYaw = billboardYaw
        self.bearing = bearing
        self.distance = distance
        self.sizePolicy = sizePolicy
        self.size = size
    }
}
