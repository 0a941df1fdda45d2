import Estimation
import Geodesy
import Geometry
import Measurements

/// One correction of the scene frame: where it was to lie before, where it is to lie now, and why.
public struct FrameCorrection: Hashable, Sendable {
    /// When it began, and when it was last added to.
    public var time: BootTime
    public private(set) var last: BootTime
    public var generation: UInt32
    /// Of east, north and up; nil while no position was known.
    public var origin: GeodeticPosition?
    /// Far beyond what was known of the target, and so made at once.
    public let isLarge: Bool
    /// The target before; of a large correction what was published then, hence all that content moves.
    public var before: SceneAlignment
    /// What was published when it began.
    public var published: SceneAlignment
    /// The target since.
    public private(set) var target: SceneAlignment
    /// When a large correction will have been made, at the earliest; nil once it is, and of a small one.
    public private(set) var slewEnd: BootTime?
    public private(set) var causes: FrameCauses
    /// That moved the target the most.
    public private(set) var mainCause: FrameCause?
    /// Where the wearer was. Frame: scene. Unit: metres.
    public var wearer: Vector3
    /// The pairs of inertial sensors and satellites that put the heading in doubt; nil where something else was the cause.
    public private(set) var evidence: HeadingReading?
    /// Whether the position was known after the correction began.
    public let isPositionKnown: Bool
    /// Whether the heading was known after the correction began.
    public let isHeadingKnown: Bool

    /// - Parameter monitor: what the monitor of the heading read last.
    public init(_ frame: FrameEstimate, at time: BootTime, wearer: Vector3, monitor: HeadingReading? = nil) {
        self.time = time
        last = time
        generation = frame.generation
        origin = frame.origin
        isLarge = frame.slewEnd != nil
        before = isLarge ? frame.published : frame.before
        published = frame.published
        target = frame.target
        slewEnd = frame.slewEnd
        causes = frame.causes
        mainCause = frame.mainCause
        self.wearer = wearer
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
        monitor.velocities = monitor.velocities.flatMap { $0.deviation < poorDeviation ? $0 : nil }
        monitor.positions = monitor.positions.flatMap { $0.deviation < poorDeviation ? $0 : nil }
        return monitor.velocities == nil && monitor.positions == nil ? nil : monitor
    }

    /// Pairs that know no better than this say nothing: 30°. Unit: radians.
    private static let poorDeviation = 0.52

    /// A search that a doubt has begun takes so long to decide. Unit: seconds.
    private static let evidenceSeconds = 60.0

    /// By which the scene's axes are turned against the earth, counter-clockwise seen from above. Unit: radians.
    public var turn: Double { Angle.wrapped(target.yaw - before.yaw) }

    /// Of the wearer against the earth. Frame: ENU. Unit: metres.
    public var displacement: Vector3 { target.pointENU(ofScene: wearer) - before.pointENU(ofScene: wearer) }

    /// The same over ground. Unit: metres.
    public var shift: Double {
        let move = displacement
        return (move.x * move.x + move.y * move.y).squareRoot()
    }

    /// How long content takes to settle: where nothing is under way any more, it had by the last announcement.
    /// Unit: seconds.
    public var duration: Double { max(0, (slewEnd ?? last).seconds(since: time)) }

    /// Whether what was announced later belongs to this one.
    ///
    /// - Parameter seconds: since the first announcement of small corrections.
    func takes(_ next: FrameCorrection, within seconds: Double) -> Bool {
        guard origin == next.origin, next.time >= last else { return false }
        if isLarge { return lasts(until: next) }
        guard generation == next.generation, causes.isDisjoint(with: .events), next.causes.isDisjoint(with: .events)
        else { return false }
        let isAlike = mainCause == nil || next.mainCause == nil || mainCause == next.mainCause
        return !next.isLarge && isAlike && next.time.seconds(since: time) < seconds
    }

    /// Whether a large correction was still under way when something else was announced.
    func lasts(until next: FrameCorrection) -> Bool {
        isLarge && slewEnd != nil && generation == next.generation && next.causes.isDisjoint(with: Self.layingOut)
    }

    /// After these the frame is laid out at once, and nothing is under way.
    private static let layingOut: FrameCauses = [
        FrameCauses(.firstPosition), FrameCauses(.firstHeading), FrameCauses(.newGeneration),
    ]

    /// Takes what was announced soon after.
    mutating func join(_ next: FrameCorrection) {
        mainCause = mainCause ?? next.mainCause
        last = next.time
        target = next.target
        slewEnd = next.slewEnd
        causes.formUnion(next.causes)
        evidence = evidence ?? next.evidence
    }

    /// A large correction whose target had moved there before it was found to be large has the causes of then.
    mutating func explain(by earlier: FrameCorrection) {
        guard mainCause == nil, earlier.generation == generation, time.seconds(since: earlier.last) < 1 else { return }
        mainCause = earlier.mainCause
        causes = earlier.causes.subtracting(.events)
        evidence = earlier.evidence
    }
}
