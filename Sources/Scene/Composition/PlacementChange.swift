import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Which differences are worth a message: less nobody sees, and a walk would otherwise change everything at every step.
///
/// What is told by words, counts or identity changes at once. Each difference is from what was sent, so that none adds up.
public enum PlacementChange {
    /// Of a place, at least (metres), and as it is seen from the wearer's place (radians): half a pixel or so.
    static let length = 0.01
    static let sight = 0.03 * Double.pi / 180
    /// Of directions: a renderer that wants them finer has pose and place. Unit: radians.
    static let angle = 0.2 * Double.pi / 180
    /// Of the distance to the wearer, at least (metres), and as a share of it.
    static let distance = 0.5
    static let distanceShare = 0.01
    /// Of an apparent size and a standard deviation.
    static let share = 0.02
    /// Of points on the display and on the radar, where 1 is the border.
    static let display = 0.005
    /// Of the turn towards a hint. Unit: radians.
    static let turn = 0.5 * Double.pi / 180

    public static func isWorthSending(_ new: Placement, after old: Placement) -> Bool {
        differ(new.position, old.position, from: new.distance)
            || differ(share: new.displayDistance, old.displayDistance)
            || differ(distance: new.distance, old.distance)
            || turned(new.billboardYaw, old.billboardYaw, angle)
            || differ(new.bearing, old.bearing) { turned($0, $1, angle) }
            || differ(new.alongRoute, old.alongRoute) { differ($0, $1, distance) }
            || differ(share: new.size.angle, old.size.angle)
            || differ(new.sigma, old.sigma) { differ(share: $0, $1) }
            || differ(new.course, old.course) { turned($0, $1, angle) }
            || new.path.count != old.path.count
            || zip(new.path, old.path).contains {
                differ($0.position, $1.position, from: new.distance) || turned($0.course, $1.course, angle)
            }
            || differ(new.slot, old.slot) { $0 != $1 }
            || new.order != old.order || new.band != old.band || new.distanceText != old.distanceText
            || new.alongRouteText != old.alongRouteText
            || new.kind != old.kind || new.lock != old.lock || new.sizePolicy != old.sizePolicy
            || new.isFavorite != old.isFavorite || new.side != old.side || new.pulse != old.pulse
            || new.maneuver != old.maneuver || new.name != old.name || new.category != old.category
            || new.members != old.members || new.properties != old.properties
    }

    static func isWorthSending(_ new: OffscreenHint?, after old: OffscreenHint?) -> Bool {
        differ(new, old) {
            differ($0.u, $1.u, display) || differ($0.v, $1.v, display) || turned($0.turn, $1.turn, turn)
                || $0.order != $1.order || $0.count != $1.count
        }
    }

    static func isWorthSending(_ new: ViewedPlacement.RadarPoint?, after old: ViewedPlacement.RadarPoint?) -> Bool {
        differ(new, old) { differ($0.x, $1.x, display) || differ($0.y, $1.y, display) }
    }

    private static func differ(_ a: Double, _ b: Double, _ tolerance: Double) -> Bool { (a - b).magnitude > tolerance }

    private static func differ(_ a: Vector3, _ b: Vector3, from distance: Double) -> Bool {
        let tolerance = max(length, sight * distance)
        return (a - b).squaredNorm > tolerance * tolerance
    }

    private static func differ(distance a: Double, _ b: Double) -> Bool {
        differ(a, b, max(distance, distanceShare * b))
    }

    private static func differ(share a: Double, _ b: Double) -> Bool { differ(a, b, share * b.magnitude) }

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
