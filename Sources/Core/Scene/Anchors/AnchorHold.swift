import Geometry
import Glibc
import Model

/// Uncertainty of the position at which the map puts an anchor, as standard deviations along each axis.
struct AnchorUncertainty: Sendable {
    /// Horizontal standard deviation; nil if unknown. Unit: metres.
    var horizontal: Double?
    /// Standard deviation of a height above the ellipsoid or above sea level; nil if unknown. Unit: metres.
    var vertical: Double?
    /// Whether the height is relative to the wearer's eyes or the ground, so that it changes with them.
    var followsHeight: Bool
}

/// Held position of an anchor, which stays fixed in the scene while the alignment with the earth changes. The anchor is
/// moved when its distance from where the map puts it exceeds a number of standard deviations. An anchor that was
/// placed with a poor alignment is thus corrected as soon as the alignment improves, whereas an uncertain alignment
/// moves nothing. A correction of the alignment takes seconds. The anchor therefore waits until the map is at rest, so
/// that it moves only once.
struct AnchorHold: Sendable {
    /// Position at which the anchor is shown. Frame: scene. Unit: metres.
    private(set) var point: Vector3
    let generation: UInt32?
    /// Position at which the map put the anchor when this position last changed by more than `restShare`, and the time
    /// of that change. The map is at rest if that time is at least `restSeconds` ago.
    private var rest: (point: Vector3, since: BootTime)
    /// Time since which the anchor has been too far from where the map puts it.
    private var outsideSince: BootTime?

    /// The map counts as at rest if it has moved by less than this fraction of a standard deviation for this time.
    /// Units: 1, seconds.
    private static let restShare = 0.25
    private static let restSeconds = 3.0
    /// Longest time for which the anchor waits until the map is at rest. Unit: seconds.
    private static let maximumWait = 30.0

    /// Makes a hold at a point. Frame of `point`: scene. Unit: metres.
    init(at point: Vector3, generation: UInt32?, time: BootTime) {
        self.point = point
        self.generation = generation
        rest = (point, time)
    }

    /// Updates the hold. Returns the distance by which the anchor was moved; nil if it stays.
    ///
    /// - Parameter place: position at which the map puts the anchor. Frame: scene. Unit: metres.
    mutating func update(to place: Vector3, uncertainty: AnchorUncertainty, sigmas: Double, at time: BootTime)
        -> Double?
    {
        guard place.isFinite else { return nil }
        if uncertainty.followsHeight { point.y = place.y }
        guard let sigma = uncertainty.horizontal else { return nil }
        func isBeyond(_ multiple: Double, _ offset: Vector3) -> Bool {
            Self.horizontalNorm(offset) > multiple * sigma
                || uncertainty.vertical.map { offset.y.magnitude > multiple * $0 } ?? false
        }
        if isBeyond(Self.restShare, place - rest.point) { rest = (place, time) }
        let offset = place - point
        guard isBeyond(sigmas, offset) else {
            outsideSince = nil
            return nil
        }
        let wait = outsideSince.lasting(at: time)
        guard time.seconds(since: rest.since) >= Self.restSeconds || wait >= Self.maximumWait else { return nil }
        (point, outsideSince) = (place, nil)
        return offset.norm
    }

    private static func horizontalNorm(_ vector: Vector3) -> Double { hypot(vector.x, vector.z) }
}
