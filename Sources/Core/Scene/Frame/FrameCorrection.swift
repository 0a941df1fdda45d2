import Geometry
import Model

/// Correction of the scene frame, with the alignment before and after it and its causes.
public struct FrameCorrection: Hashable, Sendable {
    package var time: BootTime
    /// Time of the last announcement that was joined to the correction.
    public private(set) var last: BootTime
    package var generation: UInt32
    /// Origin of the ENU plane; nil if no position was known.
    public var origin: GeodeticPosition?
    /// Whether the target moved far beyond its uncertainty, so that the correction is applied immediately.
    public let isLarge: Bool
    /// Target alignment before the correction. For a large correction, it is the published alignment at its beginning,
    /// so that the whole displacement of content is counted.
    public private(set) var before: SceneAlignment
    package private(set) var target: SceneAlignment
    /// Rotation of the scene's axes relative to the earth, counter-clockwise seen from above. For a large correction,
    /// it is the rotation that the content actually makes, which may be more than half a turn. Unit: radians.
    public private(set) var turn: Double
    /// Published alignment at the last announcement.
    private var published: SceneAlignment
    /// Rotation of the published alignment since the correction began. Unit: radians.
    private var publishedTurn = 0.0
    /// Target of the announcement before this correction, relative to the same origin.
    private let lastTarget: SceneAlignment
    /// Displacement of the wearer relative to the earth. Each change of the target is evaluated at the position that
    /// the wearer had at that time. Frame: ENU. Unit: metres.
    public private(set) var displacement: Vector3
    /// Earliest time at which a large correction is complete; nil after that time, and for a small correction.
    public private(set) var slewEnd: BootTime?
    package private(set) var causes: FrameCauses
    /// Cause that moved the target the most.
    public private(set) var mainCause: FrameCause?
    /// Position of the wearer when the correction began. Frame: scene. Unit: metres.
    public let wearer: Vector3
    /// Heading monitor's comparison of inertial and GNSS motion that triggered the correction; nil for other causes.
    public private(set) var evidence: HeadingReading?
    /// Floor plan that moved the frame last; nil if no plan has moved it.
    public private(set) var plan: PlanUse?
    package let isPositionKnown: Bool
    package let isHeadingKnown: Bool

    /// Makes a correction that begins with an announced frame estimate. The arguments are those of `FrameHistory.add`.
    public init(
        _ frame: FrameEstimate, at time: BootTime, wearer: Vector3, monitor: HeadingReading? = nil,
        plan: PlanUse? = nil
    ) {
        self.time = time
        last = time
        generation = frame.generation
        origin = frame.origin
        isLarge = frame.slewEnd != nil
        before = isLarge ? frame.published : frame.before
        target = frame.target
        turn = Angle.wrapped(target.yaw - before.yaw)
        published = frame.published
        lastTarget = frame.before
        displacement = target.pointENU(ofScene: wearer) - before.pointENU(ofScene: wearer)
        slewEnd = frame.slewEnd
        causes = frame.causes
        mainCause = frame.mainCause
        self.wearer = wearer
        self.plan = plan
        evidence = Self.evidence(monitor, of: causes, at: time)
        isPositionKnown = frame.horizontalAccuracy != nil
        isHeadingKnown = frame.yawAccuracy != nil
    }

    private static func evidence(
        _ monitor: HeadingReading?, of causes: FrameCauses, at time: BootTime
    ) -> HeadingReading? {
        let byPairs: FrameCauses = [FrameCauses(.headingMonitor), FrameCauses(.headingSearch)]
        guard var monitor, !causes.isDisjoint(with: byPairs), time.seconds(since: monitor.time) < evidenceSeconds else {
            return nil
        }
        monitor.velocities = monitor.velocities.flatMap { $0.standardDeviation < poorStandardDeviation ? $0 : nil }
        monitor.positions = monitor.positions.flatMap { $0.standardDeviation < poorStandardDeviation ? $0 : nil }
        return monitor.velocities == nil && monitor.positions == nil ? nil : monitor
    }

    /// Standard deviation above which pairs are not reported as evidence: 30°. Unit: radians.
    private static let poorStandardDeviation = 0.52

    /// Maximum age of a reading that can explain a correction. A heading search takes this long. Unit: seconds.
    private static let evidenceSeconds = 60.0

    /// Horizontal displacement of the wearer relative to the earth. Unit: metres.
    public var shift: Double { (displacement.x * displacement.x + displacement.y * displacement.y).squareRoot() }

    /// Time from the beginning of the correction until content has settled. If no large correction is in progress, time
    /// until the last announcement, which is zero for a single one. Unit: seconds.
    public var duration: Double { max(0, (slewEnd ?? last).seconds(since: time)) }

    /// Whether a later correction is a continuation of this one.
    ///
    /// - Parameter seconds: age of this correction above which it is not continued if it is small. If it is large, only
    ///   small ones continue it after this age, until it is complete.
    func isContinued(by next: FrameCorrection, within seconds: Double) -> Bool {
        guard next.time >= last, !isLaidOut(by: next) else { return false }
        let isWithin = next.time.seconds(since: time) < seconds
        if isLarge { return slewEnd != nil && (isWithin || !next.isLarge) }
        guard isWithin, origin == next.origin, causes.isDisjoint(with: .events), next.causes.isDisjoint(with: .events)
        else { return false }
        let isAlike = mainCause == nil || next.mainCause == nil || mainCause == next.mainCause
        return !next.isLarge && isAlike
    }

    /// Whether the next correction sets the frame immediately, which ends this one.
    private func isLaidOut(by next: FrameCorrection) -> Bool {
        generation != next.generation || !next.causes.isDisjoint(with: Self.layingOut)
    }

    /// Causes that set the frame immediately.
    private static let layingOut: FrameCauses = [
        FrameCauses(.firstPosition), FrameCauses(.firstHeading), FrameCauses(.newGeneration),
    ]

    /// Adds a correction that continues this one.
    mutating func join(_ next: FrameCorrection) {
        if origin != next.origin { moveOrigin(to: next) }
        follow(next.published)
        aim(at: next.target, wearer: next.wearer)
        mainCause = mainCause ?? next.mainCause
        last = next.time
        slewEnd = next.slewEnd
        causes.formUnion(next.causes)
        evidence = evidence ?? next.evidence
        plan = next.plan ?? plan
    }

    /// Ends a large correction before it is complete, because the next correction does not continue it. Only the
    /// displacement of content so far counts, and the next correction starts from there.
    mutating func end(with next: FrameCorrection) {
        if isLaidOut(by: next) {
            aim(at: published, wearer: wearer)
        } else {
            if origin != next.origin { moveOrigin(to: next) }
            follow(next.published)
            aim(at: published, wearer: next.wearer)
        }
        last = next.time
        slewEnd = nil
    }

    /// Follows the published alignment. Between two announcements, the alignment rotates by far less than half a turn.
    /// The sum therefore has the sense in which content turned, even if the opposite sense would have been shorter at
    /// the beginning.
    private mutating func follow(_ alignment: SceneAlignment) {
        publishedTurn += Angle.wrapped(alignment.yaw - published.yaw)
        published = alignment
    }

    private mutating func aim(at alignment: SceneAlignment, wearer: Vector3) {
        turn =
            isLarge
            ? publishedTurn + Angle.wrapped(alignment.yaw - published.yaw)
            : turn + Angle.wrapped(alignment.yaw - target.yaw)
        displacement += alignment.pointENU(ofScene: wearer) - target.pointENU(ofScene: wearer)
        target = alignment
    }

    /// Moves to the origin of the next correction, whose `lastTarget` is the target of this correction.
    private mutating func moveOrigin(to next: FrameCorrection) {
        let move = next.lastTarget.translation - target.translation
        before.translation += move
        target.translation += move
        published.translation += move
        origin = next.origin
    }

    /// Takes over the causes of an earlier correction. That correction moved the target before this one was found to be
    /// large.
    mutating func explain(by earlier: FrameCorrection) {
        guard mainCause == nil, earlier.generation == generation, time.seconds(since: earlier.last) < 1 else { return }
        mainCause = earlier.mainCause
        causes = earlier.causes.subtracting(.events)
        evidence = earlier.evidence
        plan = earlier.plan
    }
}

extension FrameCorrection {
    /// Displacement in the scene, as the wearer sees it, that a correction causes for a point of the earth.
    public struct Effect: Hashable, Sendable {
        /// Horizontal displacement of the point in the scene. Unit: metres.
        public var distance: Double
        /// Angle between the directions to the point before and after the correction. Unit: radians.
        public var angle: Double
    }

    /// Returns the effect of the correction on a position; nil if no position was known or the frame has another
    /// generation.
    public func effect(on position: GeodeticPosition) -> Effect? {
        guard let origin else { return nil }
        let plane = LocalTangentPlane(origin: origin)
        let old = SceneMap(plane: plane, alignment: before).pointInScene(of: position)
        let new = SceneMap(plane: plane, alignment: target).pointInScene(of: position)
        let (from, to) = (old - wearer, new - wearer)
        // The height depends on the kind of placement, so only the horizontal displacement counts.
        let distance = SceneAxes.horizontalNorm(new - old)
        let angle = Angle.wrapped(SceneAxes.bearing(to) - SceneAxes.bearing(from)).magnitude
        return Effect(distance: distance, angle: angle)
    }
}
