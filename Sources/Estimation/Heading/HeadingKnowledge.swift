import Model

/// What is known of the heading, and how far the search for it has come.
package struct HeadingKnowledge: Sendable {
    /// How well the yaw is founded.
    package enum Status: Hashable, Sendable {
        /// Nothing has shown north yet: any direction is possible, and no measurement of the motion may turn the body.
        case unknown
        /// From a field whose hard iron has been found to be another since: the next field that can be believed sets the yaw
        /// anew.
        case outdated(North)
        /// From the magnetometer, from one hypothesis of several, or from the monitor; hypotheses of other yaws are kept
        /// beside it.
        case unconfirmed(North)
        /// Motion under satellites has confirmed it, and the search for other yaws is over.
        case settled(North)
    }

    /// The direction from which the yaw counts.
    package enum North: Hashable, Sendable {
        /// Where the field points, before a model of it tells the declination.
        case magnetic
        case geographic
    }

    package var status = Status.unknown
    /// Sum of the logarithms of the likelihoods of fixes since the hypotheses were set up.
    package private(set) var evidence = 0.0
    /// How much larger than predicted the squared innovations of fixes have been lately: the evidence is as much weaker.
    package private(set) var excess = 1.0
    /// The same of the velocities alone, over a longer time.
    private var velocityExcess = 1.0
    package var field = FieldTrust()
    package var motion = LevelMotion()

    package init() {}

    /// Nothing is known, and the level frame is another one.
    init(afterLevelFrame number: UInt32) { motion = LevelMotion(number: number &+ 1) }

    /// Nil while the heading is unknown.
    package var north: North? {
        switch status {
        case .unknown: nil
        case .outdated(let north), .unconfirmed(let north), .settled(let north): north
        }
    }

    /// The same, as poses have it.
    package var reference: HeadingReference {
        switch north {
        case nil: .none
        case .magnetic: .magneticNorth
        case .geographic: .trueNorth
        }
    }

    package var isKnown: Bool { status != .unknown }

    package var isSettled: Bool {
        if case .settled = status { true } else { false }
    }

    var isOutdated: Bool {
        if case .outdated = status { true } else { false }
    }

    /// Motion has confirmed the yaw.
    mutating func settle() {
        if let north { status = .settled(north) }
    }

    /// The hard iron by which the field has told the yaw is another one; a yaw that motion has confirmed stays.
    mutating func outdate() {
        if case .unconfirmed(let north) = status { status = .outdated(north) }
    }

    /// The field has set the yaw anew.
    mutating func renew() {
        if case .outdated(let north) = status { status = .unconfirmed(north) }
    }

    /// The declination has become known, and the yaw has been turned by it.
    mutating func countFromGeographicNorth() {
        switch status {
        case .unknown: break
        case .outdated: status = .outdated(.geographic)
        case .unconfirmed: status = .unconfirmed(.geographic)
        case .settled: status = .settled(.geographic)
        }
    }

    /// What a fix says for or against this filter.
    mutating func note(_ outcome: CorrectionOutcome) {
        evidence += outcome.logLikelihood
        excess += (Self.square(outcome) - excess) / Self.excessMemory
    }

    /// What a velocity says, which a wrong yaw contradicts at every start and turn.
    mutating func note(velocity outcome: CorrectionOutcome) {
        note(outcome)
        velocityExcess += (Self.square(outcome) - velocityExcess) / Self.excessMemory
    }

    /// A yaw that was settled, and under which nothing fits for long: poor receivers reach a third of it.
    var isRefuted: Bool { isSettled && velocityExcess > Self.hopelessExcess }

    private static let hopelessExcess = 8.0

    private static func square(_ outcome: CorrectionOutcome) -> Double {
        min(largestSquare, outcome.normalizedSquare / Double(outcome.dimensions))
    }

    /// Innovations over which the excess is averaged, and where one outlier is cut off.
    private static let excessMemory = 16.0
    private static let largestSquare = 25.0

    mutating func forgetEvidence() { evidence = 0 }
}
