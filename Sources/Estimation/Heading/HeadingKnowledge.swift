import Measurements

/// What the heading counts from, and how far the search for it has come.
package struct HeadingKnowledge: Sendable {
    package var reference = HeadingReference.none
    /// Evidence of motion has confirmed the yaw; until then hypotheses of others are kept beside it.
    package var isSettled = false
    /// Sum of the logarithms of the likelihoods of fixes since the hypotheses were set up.
    package private(set) var evidence = 0.0
    /// How much larger than predicted the squared innovations of fixes have been lately: the evidence is as much weaker.
    package private(set) var excess = 1.0
    /// The same of the velocities alone, over a longer time.
    private var velocityExcess = 1.0
    package var field = FieldTrust()
    package var motion = LevelMotion()

    package init() {}

    package var isKnown: Bool { reference != .none }

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
