import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// How far the place of an anchor by the map may be off, for the wearer: one standard deviation along each axis.
struct AnchorDoubt: Sendable {
    /// Over ground; nil is not known. Unit: metres.
    var horizontal: Double?
    /// Of a height above the ellipsoid or the sea; nil is not known. Unit: metres.
    var vertical: Double?
    /// Whether the height counts from the wearer's eyes or ground, and so goes along with these.
    var followsHeight: Bool
}

/// An anchor that stays where it is in the scene while the map moves under it.
///
/// It is laid out anew when its place by the map is farther away than some standard deviations of that place, as it is known
/// now: what was laid out with little knowledge is put right as soon as more is known, and a map that is itself in doubt moves
/// nothing. A map that is being corrected goes on for seconds; so that the anchor moves once and not step after step, it waits
/// until the map rests.
struct AnchorHold: Sendable {
    /// Where it is shown. Frame: scene. Unit: metres.
    private(set) var point: Vector3
    let generation: UInt32?
    /// Where the map has had it, about, since then.
    private var rest: (point: Vector3, since: BootTime)
    /// Since when it has been too far off.
    private var strayedSince: BootTime?

    /// The map rests when the place has moved by less than this share of a standard deviation, for so long. Unit: 1, seconds.
    private static let restShare = 0.25
    private static let restSeconds = 3.0
    /// A map that never rests is waited for so long. Unit: seconds.
    private static let longestWait = 30.0

    /// Frame of `point`: scene.
    init(at point: Vector3, generation: UInt32?, time: BootTime) {
        self.point = point
        self.generation = generation
        rest = (point, time)
    }

    /// Returns how far the anchor has been moved; nil where it stays.
    ///
    /// - Parameter place: where it lies by the map. Frame: scene.
    mutating func update(to place: Vector3, doubt: AnchorDoubt, sigmas: Double, at time: BootTime) -> Double? {
        guard place.isFinite else { return nil }
        if doubt.followsHeight { point.y = place.y }
        guard let sigma = doubt.horizontal else { return nil }
        /// Whether one place is farther from another than a multiple of a standard deviation.
        func isBeyond(_ multiple: Double, _ offset: Vector3) -> Bool {
            Self.level(offset) > multiple * sigma
                || doubt.vertical.map { offset.y.magnitude > multiple * $0 } ?? false
        }
        if isBeyond(Self.restShare, place - rest.point) { rest = (place, time) }
        let offset = place - point
        guard isBeyond(sigmas, offset) else {
            strayedSince = nil
            return nil
        }
        let since = strayedSince ?? time
        strayedSince = since
        guard
            time.seconds(since: rest.since) >= Self.restSeconds || time.seconds(since: since) >= Self.longestWait
        else { return nil }
        (point, strayedSince) = (place, nil)
        return offset.norm
    }

    /// Over ground.
    private static func level(_ vector: Vector3) -> Double { hypot(vector.x, vector.z) }
}
