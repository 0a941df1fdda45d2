import Geometry
import Glibc
import Model

/// What is known about the heading: its status, the evidence of the fixes, and the motion for the yaw monitor.
package struct HeadingKnowledge: Sendable, Codable {
    /// Origin of the yaw and whether it is confirmed.
    package enum Status: Hashable, Sendable {
        /// The heading is unobserved. Any direction is possible, and aiding must not correct the yaw.
        case unknown
        /// The magnetic field has set the yaw, but the hard iron has changed since then. The next good field sets the
        /// yaw again.
        case outdated(North)
        /// The magnetometer, one of several hypotheses, or the monitor has set the yaw. Hypotheses with other yaws run
        /// in parallel.
        case unconfirmed(North)
        /// Motion under satellites has confirmed the yaw. The search for other yaws has ended.
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
    /// Whether motion has determined the yaw since the yaw was last unknown. Otherwise the yaw depends on the compass
    /// alone, which may have a permanent error.
    private(set) var isShownByMotion = false
    /// Whether an offer of another program has set the yaw and motion has not confirmed it since.
    package private(set) var isOffered = false
    /// Number of times that an offer has set the yaw.
    package private(set) var offersTaken: UInt32 = 0
    /// Last time at which the field agreed with a heading that motion had confirmed, in this run or the previous one.
    /// It is nil if the field never agreed, or if the compass has since been found to differ.
    private var confirmedAt: BootTime?
    /// Whether a stream of fixes has been received since the yaw was last unknown. During such a stream a few steps
    /// determine the yaw.
    private var isBesideFixes = false
    /// Log-likelihood of the fixes, accumulated since the hypotheses were started.
    package private(set) var evidence = 0.0
    /// Mean normalised innovation squared of recent fixes; the evidence is divided by it.
    package private(set) var excess = 1.0
    /// Amount by which the directions of steps have reduced the log-likelihood.
    private var courseDoubt = 0.0
    /// Upper limit of `courseDoubt`: ln 10, because one board in ten is worn in an unknown way.
    private static let maximumCourseDoubt = 2.3
    /// Mean normalised innovation squared of recent velocities.
    private var velocityExcess = 1.0
    /// Whether the magnetometer may correct the yaw.
    package var field = FieldTrust()
    /// Velocity changes that the inertial sensors measured, for the yaw monitor.
    package var motion = HorizontalMotion()

    package init() {}

    /// Starts without a heading, in a new gyro frame.
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

    /// Marks the yaw as determined by motion. The comparison of hypotheses continues.
    package mutating func takeFromMotion() {
        status = .unconfirmed(.geographic)
        isShownByMotion = true
        isOffered = false
    }

    /// Marks the yaw as set by an offer. The comparison of hypotheses continues.
    mutating func takeFromOffer() {
        takeFromMotion()
        isOffered = true
        offersTaken &+= 1
    }

    /// Whether the yaw depends on the compass alone.
    package var isCompassAlone: Bool { isKnown && !isShownByMotion }

    /// Whether the yaw depends on the compass alone because steps are missing. With steps, the fixes could determine
    /// it.
    var awaitsMotion: Bool { isCompassAlone && isBesideFixes }

    /// Whether the compass alone determines the yaw, and neither motion nor a recent run has confirmed the compass.
    package var isCompassUnconfirmed: Bool { isCompassAlone && compassConfirmation == nil }

    /// Last time at which motion confirmed the compass; nil if motion has not confirmed it, or now contradicts it.
    package var compassConfirmation: BootTime? { field.isRefuted ? nil : confirmedAt }

    /// Records that motion confirms the compass at a time.
    mutating func noteConfirmation(at time: BootTime) { confirmedAt = time }

    /// Drops the confirmation of the compass, because the compass has changed since.
    package mutating func dropConfirmation() { confirmedAt = nil }

    mutating func noteFixes() { isBesideFixes = true }

    /// Marks a yaw that the field has set as outdated, because the hard iron has changed. A yaw determined by motion
    /// stays valid.
    package mutating func outdate() {
        dropConfirmation()
        if case .unconfirmed(let north) = status, !isShownByMotion { status = .outdated(north) }
    }

    /// Records that the field has set an outdated yaw again.
    mutating func renew() {
        if case .outdated(let north) = status { status = .unconfirmed(north) }
    }

    /// Changes the reference to true north, after the declination has become known and the yaw has been corrected by
    /// it.
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

    /// Adds the evidence of a velocity. A wrong yaw enlarges the velocity innovation at every start and turn.
    mutating func note(velocity outcome: CorrectionOutcome) {
        note(outcome)
        velocityExcess += (Self.square(outcome) - velocityExcess) / Self.excessMemory
    }

    /// Adds the evidence of a step, which is assumed to be in the board's direction. This evidence is bounded, because
    /// the board may be worn differently.
    mutating func note(course outcome: CorrectionOutcome) {
        let surprise = max(0, outcome.normalizedInnovationSquared - 1) / 2
        let counted = min(surprise, Self.maximumCourseDoubt - courseDoubt)
        courseDoubt += counted
        evidence -= counted
    }

    /// Whether a confirmed yaw is contradicted, because innovations have been far too large for a long time. Poor
    /// receivers reach only a third of the limit.
    var isRefuted: Bool { isSettled && velocityExcess > Self.hopelessExcess }

    /// Value of `velocityExcess` beyond which a confirmed yaw is contradicted.
    private static let hopelessExcess = 8.0

    private static func square(_ outcome: CorrectionOutcome) -> Double {
        min(maximumSquare, outcome.normalizedInnovationSquared / Double(outcome.dimensions))
    }

    /// Number of innovations in a mean.
    private static let excessMemory = 16.0
    /// Upper limit of one normalised innovation squared. It bounds the effect of outliers.
    private static let maximumSquare = 25.0

    mutating func forgetEvidence() {
        evidence = 0
        courseDoubt = 0
    }
}

extension HeadingKnowledge.Status: CaseIterable, Codable {
    // The list is not synthesised, because the layout of a saved state would then describe only one of the cases.
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

/// Velocity change between two fixes, as measured by the inertial sensors and by the receiver.
package struct MotionPair: Hashable, Sendable, Codable {
    /// Epoch of the later fix.
    package var time: BootTime
    /// Time between the two fixes. Unit: seconds.
    package var interval: Double
    /// Velocity change that the inertial sensors measured. Frame: gyro frame. Unit: m/s.
    package var inertialChange: Vector3
    /// Velocity change that the receiver measured. Frame: ENU. Unit: m/s.
    package var receiverChange: Vector3
    /// Standard deviation of the velocity of one fix, per axis. Unit: m/s.
    package var standardDeviation: Double
    /// Rotation from the gyro frame to ENU according to the filter, counter-clockwise; nil while the filter's heading
    /// is unknown. Unit: radians.
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

/// Velocity changes that the inertial sensors measure, in the gyro frame. This is a horizontal frame whose yaw is
/// integrated from the gyroscope without any correction.
package struct HorizontalMotion: Sendable, Codable {
    /// Rotation from the gyro frame to ENU, counter-clockwise. It is the sum of all yaw corrections. Unit: radians.
    package private(set) var yaw = 0.0
    private var cosine = 1.0
    private var sine = 0.0
    /// Velocity change since the last fix. Frame: gyro frame. Unit: m/s.
    private var inertialChange = Vector3.zero
    private var last: Moment?
    package private(set) var pair: MotionPair?

    /// Number of the gyro frame. It is incremented for each new frame.
    package private(set) var number: UInt32

    private struct Moment: Sendable, Codable {
        var time: BootTime
        var velocity: Vector3
    }

    package init(number: UInt32 = 0) { self.number = number }

    /// Shortest time between two compared fixes. It keeps a receiver with a higher rate from contributing more. Unit:
    /// seconds.
    static let minimumInterval = 0.9
    /// Longest time between two compared fixes. Over a longer time the tilt drifts. Unit: seconds.
    private static let maximumInterval = 3.5

    /// Records a correction of the filter's yaw, counter-clockwise. Unit: radians.
    mutating func turn(by correction: Double) {
        guard correction != 0 else { return }
        yaw = Angle.wrapped(yaw + correction)
        cosine = cos(yaw)
        sine = sin(yaw)
    }

    /// Adds a velocity change that the inertial sensors measured. Frame: the filter's ENU. Unit: m/s.
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

    /// Compares the accumulated velocity change with the velocity of a fix. The velocity must be reduced to the
    /// inertial sensor. Frame: ENU. Units: m/s, rad/s.
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
