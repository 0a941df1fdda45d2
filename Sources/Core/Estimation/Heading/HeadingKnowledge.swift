import Geometry
import Glibc
import Model

/// Knowledge of the heading: its status, the evidence of the fixes, and the motion for the yaw monitor.
package struct HeadingKnowledge: Sendable, Codable {
    /// Origin and confirmation of the yaw.
    package enum Status: Hashable, Sendable {
        /// Unobserved heading: any direction is possible, and aiding must not correct the yaw.
        case unknown
        /// Yaw set by a field whose hard iron has changed since then: the next good field sets the yaw again.
        case outdated(North)
        /// Yaw set by the magnetometer, by one of several hypotheses, or by the monitor; hypotheses of other yaws run
        /// in parallel.
        case unconfirmed(North)
        /// Yaw confirmed by motion under satellites; the search for other yaws has ended.
        case settled(North)
    }

    /// Reference direction of the yaw.
    package enum North: Hashable, Sendable {
        /// Magnetic north, before a model provides the declination.
        case magnetic
        /// True north.
        case geographic
    }

    package var status = Status.unknown
    /// Whether motion has determined the yaw since it was last unknown; otherwise the yaw depends on the compass alone,
    /// which may have a permanent error.
    private(set) var isShownByMotion = false
    /// Whether an offer of another program has set the yaw and motion has not confirmed it since.
    package private(set) var isOffered = false
    /// Number of times that an offer has set the yaw.
    package private(set) var offersTaken: UInt32 = 0
    /// Last time at which the field agreed with a heading confirmed by motion, in this run or the previous run; nil if
    /// it never has, or if the compass was found to be different since.
    private var confirmedAt: BootTime?
    /// Whether a stream of fixes has been received since the yaw was last unknown; during such a stream a few steps
    /// determine the yaw.
    private var isBesideFixes = false
    /// Log-likelihood of the fixes since the hypotheses were started.
    package private(set) var evidence = 0.0
    /// Mean normalised innovation squared of recent fixes; the evidence is divided by it.
    package private(set) var excess = 1.0
    /// Log-likelihood that the evidence has lost through the directions of steps.
    private var courseDoubt = 0.0
    /// Upper limit of `courseDoubt`, ln 10: one board in ten is worn in an unknown way.
    private static let maximumCourseDoubt = 2.3
    /// Mean normalised innovation squared of recent velocities.
    private var velocityExcess = 1.0
    /// Whether the magnetometer may correct the yaw.
    package var field = FieldTrust()
    /// Velocity changes from the inertial sensors, for the yaw monitor.
    package var motion = HorizontalMotion()

    package init() {}

    /// Starts without a heading, in another gyro frame.
    init(afterLevelFrame number: UInt32) { motion = HorizontalMotion(number: number &+ 1) }

    /// Reference direction of the yaw; nil while the heading is unknown.
    package var north: North? {
        switch status {
        case .unknown: nil
        case .outdated(let north), .unconfirmed(let north), .settled(let north): north
        }
    }

    /// Heading reference of poses.
    package var reference: HeadingReference {
        switch north {
        case nil: .none
        case .magnetic: .magneticNorth
        case .geographic: .trueNorth
        }
    }

    /// Class of the status that selects the regime.
    var knowledge: Regime.Heading {
        switch status {
        case .unknown: .unknown
        case .outdated, .unconfirmed: .unconfirmed
        case .settled: .known
        }
    }

    package var isKnown: Bool { status != .unknown }

    /// Whether motion has confirmed the heading.
    package var isSettled: Bool {
        if case .settled = status { true } else { false }
    }

    var isOutdated: Bool {
        if case .outdated = status { true } else { false }
    }

    /// Marks the yaw as confirmed by motion.
    mutating func settle() {
        guard let north else { return }
        status = .settled(north)
        isShownByMotion = true
        isOffered = false
    }

    /// Marks the yaw as determined by motion, with the comparison of hypotheses still running.
    package mutating func takeFromMotion() {
        status = .unconfirmed(.geographic)
        isShownByMotion = true
        isOffered = false
    }

    /// Marks the yaw as set by an offer, with the comparison of hypotheses still running.
    mutating func takeFromOffer() {
        takeFromMotion()
        isOffered = true
        offersTaken &+= 1
    }

    /// Whether the yaw depends on the compass alone.
    package var isCompassAlone: Bool { isKnown && !isShownByMotion }

    /// Whether the yaw depends on the compass alone although fixes could determine it, because the steps for this
    /// comparison are missing.
    var awaitsMotion: Bool { isCompassAlone && isBesideFixes }

    /// Whether the compass alone determines the yaw, confirmed neither by motion nor by a recent run.
    package var isCompassUnconfirmed: Bool { isCompassAlone && compassConfirmation == nil }

    /// Last time at which motion confirmed the compass; nil if motion has not confirmed it, or now contradicts it.
    package var compassConfirmation: BootTime? { field.isRefuted ? nil : confirmedAt }

    /// Records that motion confirms the compass at a time.
    mutating func noteConfirmation(at time: BootTime) { confirmedAt = time }

    /// Drops the confirmation of the compass, because the compass has changed since.
    package mutating func dropConfirmation() { confirmedAt = nil }

    mutating func noteFixes() { isBesideFixes = true }

    /// Marks a yaw from the field as outdated, because the hard iron has changed; a yaw determined by motion stays.
    package mutating func outdate() {
        dropConfirmation()
        if case .unconfirmed(let north) = status, !isShownByMotion { status = .outdated(north) }
    }

    /// Marks an outdated yaw as set again by the field.
    mutating func renew() {
        if case .outdated(let north) = status { status = .unconfirmed(north) }
    }

    /// Changes the reference to true north, after the declination has become known and has corrected the yaw.
    mutating func countFromGeographicNorth() {
        switch status {
        case .unknown: break
        case .outdated: status = .outdated(.geographic)
        case .unconfirmed: status = .unconfirmed(.geographic)
        case .settled: status = .settled(.geographic)
        }
    }

    /// Adds the evidence of a position.
    mutating func note(_ outcome: CorrectionOutcome) {
        evidence += outcome.logLikelihood
        excess += (Self.square(outcome) - excess) / Self.excessMemory
    }

    /// Adds the evidence of a range. A range that is too long contains no information about the noise of other ranges.
    mutating func note(range outcome: CorrectionOutcome) {
        if outcome.isAccepted { note(outcome) } else { evidence += outcome.logLikelihood }
    }

    /// Adds the evidence of a velocity; a wrong yaw enlarges its innovation at every start and turn.
    mutating func note(velocity outcome: CorrectionOutcome) {
        note(outcome)
        velocityExcess += (Self.square(outcome) - velocityExcess) / Self.excessMemory
    }

    /// Adds the evidence of a step in the direction of the board. It is bounded, because the board may be worn
    /// differently.
    mutating func note(course outcome: CorrectionOutcome) {
        let surprise = max(0, outcome.normalizedInnovationSquared - 1) / 2
        let counted = min(surprise, Self.maximumCourseDoubt - courseDoubt)
        courseDoubt += counted
        evidence -= counted
    }

    /// Whether a confirmed yaw is contradicted: its innovations have been far too large for a long time. Poor receivers
    /// reach only a third of the limit.
    var isRefuted: Bool { isSettled && velocityExcess > Self.hopelessExcess }

    /// Mean normalised innovation squared of velocities beyond which a confirmed yaw is contradicted.
    private static let hopelessExcess = 8.0

    private static func square(_ outcome: CorrectionOutcome) -> Double {
        min(maximumSquare, outcome.normalizedInnovationSquared / Double(outcome.dimensions))
    }

    /// Number of innovations in a mean.
    private static let excessMemory = 16.0
    /// Upper limit of one normalised innovation squared, against outliers.
    private static let maximumSquare = 25.0

    mutating func forgetEvidence() {
        evidence = 0
        courseDoubt = 0
    }
}

extension HeadingKnowledge.Status: CaseIterable, Codable {
    // Not synthesised, because the layout of a saved state would then describe only one of the cases.
    package static let allCases: [Self] = [
        .unknown, .outdated(.magnetic), .unconfirmed(.magnetic), .settled(.magnetic), .outdated(.geographic),
        .unconfirmed(.geographic), .settled(.geographic),
    ]

    package func encode(to encoder: any Encoder) throws { try Self.allCases.firstIndex(of: self)!.encode(to: encoder) }

    package init(from decoder: any Decoder) throws {
        let index = try decoder.singleValueContainer().decode(Int.self)
        guard Self.allCases.indices.contains(index) else { throw StateFlaw.impossible }
        self = Self.allCases[index]
    }
}

/// Velocity change between two fixes, from the inertial sensors and from the receiver.
package struct MotionPair: Hashable, Sendable, Codable {
    /// Epoch of the later fix.
    package var time: BootTime
    /// Time between the two fixes. Unit: seconds.
    package var interval: Double
    /// Velocity change from the inertial sensors. Frame: gyro frame. Unit: m/s.
    package var inertialChange: Vector3
    /// Velocity change from the receiver. Frame: ENU. Unit: m/s.
    package var receiverChange: Vector3
    /// Standard deviation of the velocity of one fix, per axis. Unit: m/s.
    package var standardDeviation: Double
    /// Rotation to ENU from the gyro frame according to the filter, counter-clockwise; nil while its heading is
    /// unknown. Unit: radians.
    package var yaw: Double?
    /// Standard deviation of the drift of the gyro frame. Unit: rad/s.
    package var drift: Double
    /// Number of the gyro frame; pairs in different frames cannot be compared.
    package var frame: UInt32

    package init(
        time: BootTime, interval: Double, inertialChange: Vector3, receiverChange: Vector3, standardDeviation: Double,
        yaw: Double?, drift: Double, frame: UInt32 = 0
    ) {
        self.time = time
        self.interval = interval
        self.inertialChange = inertialChange
        self.receiverChange = receiverChange
        self.standardDeviation = standardDeviation
        self.yaw = yaw
        self.drift = drift
        self.frame = frame
    }
}

/// Velocity changes from the inertial sensors in the gyro frame: a horizontal frame whose yaw is integrated from the
/// gyroscope, without any correction.
package struct HorizontalMotion: Sendable, Codable {
    /// Rotation to ENU from the gyro frame: the sum of all yaw corrections, counter-clockwise. Unit: radians.
    package private(set) var yaw = 0.0
    private var cosine = 1.0
    private var sine = 0.0
    /// Velocity change since the last fix. Frame: gyro frame. Unit: m/s.
    private var inertialChange = Vector3.zero
    private var last: Moment?
    package private(set) var pair: MotionPair?

    /// Number of the gyro frame, incremented for each new frame.
    package private(set) var number: UInt32

    private struct Moment: Sendable, Codable {
        var time: BootTime
        var velocity: Vector3
    }

    package init(number: UInt32 = 0) { self.number = number }

    /// Least time between two compared fixes: a receiver with a higher rate does not contribute more. Unit: seconds.
    static let minimumInterval = 0.9
    /// Longest time between two compared fixes: over a longer time the tilt drifts. Unit: seconds.
    private static let maximumInterval = 3.5

    /// Records a correction of the filter's yaw, counter-clockwise. Unit: radians.
    mutating func turn(by correction: Double) {
        guard correction != 0 else { return }
        yaw = Angle.wrapped(yaw + correction)
        cosine = cos(yaw)
        sine = sin(yaw)
    }

    /// Adds a velocity change from the inertial sensors. Frame: ENU of the filter. Unit: m/s.
    @inline(__always)
    mutating func add(_ change: Vector3) {
        inertialChange.x += cosine * change.x + sine * change.y
        inertialChange.y += cosine * change.y - sine * change.x
    }

    /// Restarts the comparison, because inertial samples are missing.
    mutating func interrupt() {
        last = nil
        inertialChange = .zero
    }

    /// Compares with the velocity of a fix, reduced to the inertial sensor. Frame: ENU. Units: m/s, rad/s.
    mutating func compare(
        velocity: Vector3, standardDeviation: Double, drift: Double, isHeadingKnown: Bool, at time: BootTime
    ) {
        if let last {
            let interval = time.seconds(since: last.time)
            guard interval >= Self.minimumInterval else { return }
            if interval <= Self.maximumInterval {
                let change = velocity - last.velocity
                pair = MotionPair(
                    time: time, interval: interval, inertialChange: inertialChange,
                    receiverChange: Vector3(change.x, change.y, 0), standardDeviation: standardDeviation,
                    yaw: isHeadingKnown ? yaw : nil, drift: drift, frame: number)
            }
        }
        last = Moment(time: time, velocity: velocity)
        inertialChange = .zero
    }
}
