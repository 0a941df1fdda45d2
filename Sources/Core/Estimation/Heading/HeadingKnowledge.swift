import Model

/// Knowledge of the heading: its status, the evidence of the fixes, and the motion for the yaw monitor.
package struct HeadingKnowledge: Sendable, Codable {
    /// Origin and confirmation of the yaw.
    package enum Status: Hashable, Sendable {
        /// Unobserved heading: any direction is possible, and no aiding may correct the yaw.
        case unknown
        /// Set by a field whose hard iron has changed since: the next good field sets the yaw again.
        case outdated(North)
        /// Set by the magnetometer, by one hypothesis of several, or by the monitor; hypotheses of other yaws run
        /// beside it.
        case unconfirmed(North)
        /// Confirmed by motion under satellites; the search for other yaws is over.
        case settled(North)
    }

    /// Direction from which the yaw counts.
    package enum North: Hashable, Sendable {
        /// Direction of the field, before a model gives the declination.
        case magnetic
        /// True north.
        case geographic
    }

    /// Status of the yaw.
    package var status = Status.unknown
    /// Whether motion has shown the yaw since it was last unknown; without that it rests on the compass alone, which
    /// may be off for good.
    private(set) var isShownByMotion = false
    /// Whether an offer of another program has set the yaw, and motion has not confirmed it since.
    package private(set) var isOffered = false
    /// Number of times that one has.
    package private(set) var offersTaken: UInt32 = 0
    /// When the field last agreed with a heading that motion had confirmed, in this run or the one before; nil if it
    /// never has, or if the compass was found to be another since.
    private var confirmedAt: BootTime?
    /// Whether there has been a stream of fixes since, beside which a few steps show the yaw.
    private var isBesideFixes = false
    /// Log-likelihood of the fixes since the hypotheses were started.
    package private(set) var evidence = 0.0
    /// Mean normalised innovation squared of recent fixes; the evidence is divided by it.
    package private(set) var excess = 1.0
    /// Log-likelihood that the directions of steps have cost since then.
    private var courseDoubt = 0.0
    /// Largest such cost, ln 10: one board in ten is worn in a way that is not known.
    private static let largestCourseDoubt = 2.3
    /// Mean normalised innovation squared of recent velocities.
    private var velocityExcess = 1.0
    /// Whether the magnetometer may correct the yaw.
    package var field = FieldTrust()
    /// Velocity changes by the inertial sensors, for the yaw monitor.
    package var motion = HorizontalMotion()

    package init() {}

    /// Starts without a heading, in another gyro frame.
    init(afterLevelFrame number: UInt32) { motion = HorizontalMotion(number: number &+ 1) }

    /// Direction from which the yaw counts; nil while the heading is unknown.
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

    /// What the regime says of the heading.
    var knowledge: Regime.Heading {
        switch status {
        case .unknown: .unknown
        case .outdated, .unconfirmed: .unconfirmed
        case .settled: .known
        }
    }

    /// Whether the heading is known at all.
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

    /// Marks the yaw as one that motion has shown, and that other hypotheses are still compared with.
    package mutating func takeFromMotion() {
        status = .unconfirmed(.geographic)
        isShownByMotion = true
        isOffered = false
    }

    /// Marks the yaw as one that an offer has set, and that other hypotheses are still compared with.
    mutating func takeFromOffer() {
        takeFromMotion()
        isOffered = true
        offersTaken &+= 1
    }

    /// Whether the yaw is that of the compass alone.
    package var isCompassAlone: Bool { isKnown && !isShownByMotion }

    /// Whether it is, although fixes could have shown it: the steps for that are still to come.
    var awaitsMotion: Bool { isCompassAlone && isBesideFixes }

    /// Whether nothing has confirmed that compass: neither motion nor a run shortly before.
    package var isCompassUnconfirmed: Bool { isCompassAlone && compassConfirmation == nil }

    /// When motion last confirmed the compass; nil if it has not, or contradicts it now.
    package var compassConfirmation: BootTime? { field.isRefuted ? nil : confirmedAt }

    /// Notes that motion confirms the compass at a time.
    mutating func noteConfirmation(at time: BootTime) { confirmedAt = time }

    /// The compass is not as it was when motion confirmed it.
    package mutating func dropConfirmation() { confirmedAt = nil }

    /// Notes a stream of fixes.
    mutating func noteFixes() { isBesideFixes = true }

    /// Marks a yaw from the field as outdated, because the hard iron has changed; a yaw that motion has shown stays.
    package mutating func outdate() {
        dropConfirmation()
        if case .unconfirmed(let north) = status, !isShownByMotion { status = .outdated(north) }
    }

    /// Marks an outdated yaw as set again by the field.
    mutating func renew() {
        if case .outdated(let north) = status { status = .unconfirmed(north) }
    }

    /// The declination has become known, and the yaw was corrected by it.
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

    /// Adds the evidence of a range. One that is too long shows nothing of the noise of the others.
    mutating func note(range outcome: CorrectionOutcome) {
        if outcome.isAccepted { note(outcome) } else { evidence += outcome.logLikelihood }
    }

    /// Adds the evidence of a velocity, whose innovation a wrong yaw enlarges at every start and turn.
    mutating func note(velocity outcome: CorrectionOutcome) {
        note(outcome)
        velocityExcess += (Self.square(outcome) - velocityExcess) / Self.excessMemory
    }

    /// Adds the evidence of a step in the direction of the board. It is bounded, because the board may be worn in
    /// another way.
    mutating func note(course outcome: CorrectionOutcome) {
        let surprise = max(0, outcome.normalizedInnovationSquared - 1) / 2
        let counted = min(surprise, Self.largestCourseDoubt - courseDoubt)
        courseDoubt += counted
        evidence -= counted
    }

    /// Whether a confirmed yaw is contradicted: its innovations have been far too large for long. Poor receivers reach
    /// a third of the limit.
    var isRefuted: Bool { isSettled && velocityExcess > Self.hopelessExcess }

    /// Mean normalised innovation squared of velocities beyond which a confirmed yaw is refuted.
    private static let hopelessExcess = 8.0

    private static func square(_ outcome: CorrectionOutcome) -> Double {
        min(largestSquare, outcome.normalizedInnovationSquared / Double(outcome.dimensions))
    }

    /// Number of innovations over which the mean is taken.
    private static let excessMemory = 16.0
    /// Largest normalised square that counts, against outliers.
    private static let largestSquare = 25.0

    mutating func forgetEvidence() {
        evidence = 0
        courseDoubt = 0
    }
}

extension HeadingKnowledge.Status: CaseIterable, Codable {
    // Not synthesized: one of the cases alone would be described.
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
