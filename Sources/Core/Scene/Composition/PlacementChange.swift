import Geometry
import Glibc

/// Thresholds above which a changed placement is sent. Smaller changes are invisible, although walking changes every
/// placement at every step. Changes of text, counts and identity are always sent. A renderer recomputes some values
/// with each pose: distances, directions, sizes, and points on the display and the radar. They are sent often enough
/// for clients that receive no poses. Differences are relative to the values that were last sent, so that they do not
/// accumulate.
public enum PlacementChange {
    /// Least change of position: a distance (metres), and a visual angle from the wearer (radians) of a pixel or two.
    static let length = 0.01
    static let sight = 0.05 * Double.pi / 180
    /// Least change of position of the many small elements on the ground. On a display of 60°, the route is then
    /// accurate to 2 pixels.
    static let groundLength = 0.005
    static let groundSight = 0.07 * Double.pi / 180
    /// Least change of course. Unit: radians.
    static let course = 1 * Double.pi / 180
    /// Least change of bearing. Unit: radians.
    static let bearing = 2 * Double.pi / 180
    /// Least change of a billboard's yaw. It makes the billboard appear narrower by 4 in 1000. Unit: radians.
    static let yaw = 5 * Double.pi / 180
    /// Least change of distance, in metres and as a fraction of the distance. The number that labels show may have a
    /// finer resolution; its changes are always sent.
    static let distance = 0.5
    static let distanceShare = 0.05
    /// Least relative change of the apparent size.
    static let sizeShare = 0.02
    /// Least relative change of the angular standard deviation.
    static let sigmaShare = 0.2
    /// Least change of a hint's point on the display, whose border is at 1, and least change of the direction towards
    /// the placement (radians).
    static let hint = 0.01
    static let turn = 1 * Double.pi / 180
    /// Least change of a point on the radar, whose border is at 1.
    static let radar = 0.02
    /// Least change of the labels' roll. Unit: radians.
    static let roll = 1 * Double.pi / 180

    /// Whether a placement differs enough from the one last sent that it has to be sent again.
    public static func isWorthSending(_ new: Placement, after old: Placement) -> Bool {
        moved(new, new.position, old.position)
            || differ(distance: new.displayDistance, old.displayDistance)
            || differ(distance: new.distance, old.distance)
            || turned(new.billboardYaw, old.billboardYaw, yaw)
            || differ(new.bearing, old.bearing) { turned($0, $1, bearing) }
            || differ(new.alongRoute, old.alongRoute) { differ(distance: $0, $1) }
            || differ(size: new, old)
            || differ(new.sigma, old.sigma) { differ($0, $1, sigmaShare * $1) }
            || differ(new.course, old.course) { turned($0, $1, course) }
            || new.path.count != old.path.count
            || zip(new.path, old.path).contains {
                moved(new, $0.position, $1.position) || turned($0.course, $1.course, course)
            }
            || differ(new.slot, old.slot) { $0 != $1 }
            || new.order != old.order || new.band != old.band || new.shownDistance != old.shownDistance
            || new.shownAlongRoute != old.shownAlongRoute
            || new.kind != old.kind || new.lock != old.lock || new.sizePolicy != old.sizePolicy
            || new.isFavorite != old.isFavorite || new.side != old.side || new.pulse != old.pulse
            || new.maneuver != old.maneuver || new.name != old.name || new.category != old.category
            || new.isOccluded != old.isOccluded || new.members != old.members || new.properties != old.properties
    }

    static func isWorthSending(_ new: OffscreenHint?, after old: OffscreenHint?) -> Bool {
        differ(new, old) {
            differ($0.u, $1.u, hint) || differ($0.v, $1.v, hint) || turned($0.turn, $1.turn, turn)
                || $0.order != $1.order || $0.count != $1.count || differ($0.box, $1.box, by: areApart)
        }
    }

    private static func areApart(_ a: HintBox, _ b: HintBox) -> Bool {
        differ(a.u, b.u, hint) || differ(a.v, b.v, hint) || a.width != b.width || a.height != b.height
    }

    static func isWorthSending(_ new: ViewedPlacement.RadarPoint?, after old: ViewedPlacement.RadarPoint?) -> Bool {
        differ(new, old) { differ($0.x, $1.x, radar) || differ($0.y, $1.y, radar) }
    }

    private static func differ(_ a: Double, _ b: Double, _ tolerance: Double) -> Bool { (a - b).magnitude > tolerance }

    private static func moved(_ placement: Placement, _ a: Vector3, _ b: Vector3) -> Bool {
        let tolerance =
            placement.kind.liesOnTheGround
            ? max(groundLength, groundSight * placement.distance) : max(length, sight * placement.distance)
        return (a - b).squaredNorm > tolerance * tolerance
    }

    private static func differ(distance a: Double, _ b: Double) -> Bool {
        differ(a, b, max(distance, distanceShare * b))
    }

    /// Whether apparent sizes differ. Always false for a placement of metric size, because clients can compute its
    /// angle from the distance.
    private static func differ(size new: Placement, _ old: Placement) -> Bool {
        if case .metric = new.sizePolicy { return false }
        return differ(new.size.angle, old.size.angle, sizeShare * old.size.angle)
    }

    private static func turned(_ a: Double, _ b: Double, _ tolerance: Double) -> Bool {
        Angle.wrapped(a - b).magnitude > tolerance
    }

    private static func differ<Value>(_ a: Value?, _ b: Value?, by differ: (Value, Value) -> Bool) -> Bool {
        switch (a, b) {
        case (nil, nil): false
        case (let a?, let b?): differ(a, b)
        default: true
        }
    }
}
