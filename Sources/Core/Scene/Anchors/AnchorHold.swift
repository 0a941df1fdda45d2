import Geometry
import Glibc
import Model

/// Uncertainty of the position that the map gives an anchor: standard deviation along each axis.
struct AnchorUncertainty: Sendable {
    /// Horizontal standard deviation; nil if unknown. Unit: metres.
    var horizontal: Double?
    /// Standard deviation of a height above the ellipsoid or the sea; nil if unknown. Unit: metres.
    var vertical: Double?
    /// Whether the height is relative to the wearer's eyes or ground, and so changes with them.
    var followsHeight: Bool
}

/// Held position of an anchor: it stays fixed in the scene while the alignment with the earth changes. The anchor is
/// moved when its distance from the position that the map gives it exceeds a number of standard deviations of that
/// position. An anchor that was placed with a poor alignment is thus corrected as soon as the alignment improves, and
/// an uncertain alignment moves nothing. Because a correction of the alignment takes seconds, the anchor waits until
/// the map is at rest, so that it moves only once.
struct AnchorHold: Sendable {
    /// Position at which the anchor is shown. Frame: scene. Unit: metres.
    private(set) var point: Vector3
    let generation: UInt32?
    /// Position that the map gave the anchor when this position last changed by more than `restShare`, and the time of
    /// this change. The map is at rest if this time is at least `restSeconds` ago.
    private var rest: (point: Vector3, since: BootTime)
    /// Time since which the anchor has been too far from the position that the map gives it.
    private var outsideSince: BootTime?

    /// The map counts as at rest if it has moved by less than this fraction of a standard deviation for this time in
    /// seconds.
    private static let restShare = 0.25
    private static let restSeconds = 3.0
    /// Longest time to wait until the map is at rest. Unit: seconds.
    private static let maximumWait = 30.0

    /// Hold at a point. Frame of `point`: scene. Unit: metres.
    init(at point: Vector3, generation: UInt32?, time: BootTime) {
        self.point = point
        self.generation = generation
        rest = (point, time)
    }

    /// Updates the hold; returns the distance by which the anchor was moved, nil if it stays.
    ///
    /// - Parameter place: position that the map gives the anchor. Frame: scene. Unit: metres.
    mutating func update(to place: Vector3, uncertainty: AnchorUncertainty, sigmas: Double, at time: BootTime)
        -> Double?
    {
        guard place.isFinite else { return nil }
        if uncertainty.followsHeight { point.y = place.y }
        guard let sigma = uncertainty.horizontal else { return nil }
        /// Whether an offset exceeds a multiple of the standard deviation.
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
