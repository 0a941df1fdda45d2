import Glibc

/// Settings of the step detection and of the step length model.
public struct GaitSettings: Hashable, Sendable {
    /// Length of a step with an amplitude of 1 m/s² and a duration of 1 s. Raise it to model longer steps. Unit:
    /// metres.
    ///
    /// The length grows with amplitude^(1/3) and duration^(1/2). These exponents were fitted to walks of known length.
    /// They lie between Weinberg's fourth root, which does not depend on the frequency, and the inverted pendulum's
    /// `√a·T`.
    public var lengthFactor = 0.475
    /// Amplitude beyond which the modelled length no longer grows, because the heel strike causes the excess. Raise it
    /// to model longer steps of a wearer who treads hard. Unit: m/s². Origin: tried from 8 to 14 on recorded walks
    /// indoors; each half of the walks gave the same result.
    public var maximumLengthAmplitude = 11.0
    /// Least duration of a step. Raise it to count fewer quick oscillations. Unit: seconds. Origin: 3.6 steps a
    /// second, a sprint.
    public var minimumDuration = 0.28
    /// Largest duration of a step. Raise it to count slower steps. Unit: seconds. Origin: 0.9 steps a second, a
    /// stroll.
    public var maximumDuration = 1.1
    /// Smallest amplitude of a step, from trough to peak, while there are fixes. Raise it to miss weak steps rather
    /// than count false ones. Unit: m/s².
    public var minimumAmplitude = 0.6
    /// Smallest amplitude of a step without satellites, when there is no velocity to check the step. It exceeds the
    /// random motion of a hand. Raise it to miss weak steps rather than count false ones. Unit: m/s².
    public var minimumAmplitudeUnaided = 1.2
    /// Largest amplitude of a step, from trough to peak. Raise it to count jumps. Unit: m/s². Origin: 3 g, a jump;
    /// hard treads on recorded walks reach 25 m/s².
    public var maximumAmplitude = 30.0
    /// Smallest root mean square of the angular rate during a step. A vehicle turns less. Raise it to count fewer jolts
    /// of a vehicle. Unit: rad/s.
    public var minimumRotationRate = 0.12
    /// Largest root mean square of the angular rate during a step. A waving hand turns more. Raise it to count steps of
    /// a board that is waved about. Unit: rad/s.
    public var maximumRotationRate = 3.5
    /// Largest ratio of horizontal to vertical oscillation of a step. A swinging hand moves in all directions. Raise it
    /// to count steps of a board that is waved about.
    public var maximumHorizontalShare = 1.0
    /// Limit beyond which the board counts as swaying with each step: mean ratio of horizontal to vertical motion of
    /// successive similar oscillations. Raise it to count fewer steps of a board in a bag or on the body.
    public var swayingShare = 0.7
    /// Value that replaces `maximumHorizontalShare` for a board that sways. Raise it to count steps of a board that
    /// sways more. Origin: recorded walks with a board in a bag and on the body have 0.8 to 1.3, an evenly waving hand
    /// 1.8.
    public var maximumSwayingShare = 1.5
    /// Largest ratio of durations of two successive steps. Raise it to count less regular steps.
    public var maximumDurationRatio = 1.45
    /// Largest ratio of amplitudes of two successive steps. Raise it to count less regular steps. Origin: the two feet
    /// differ.
    public var maximumAmplitudeRatio = 2.8
    /// Number of successive similar steps that begin a walk while there are fixes. Raise it to begin a walk later and
    /// more reliably. Origin: two similar oscillations happen by chance.
    public var stepsToBegin = 3
    /// Least amplitude of a clear step. Two clear steps begin a walk without satellites, because the motion of a hand
    /// looks like steps. Raise it to begin a walk later and more reliably. Unit: m/s². Origin: walks, and boards turned
    /// in the hand, recorded with ground truth.
    public var clearAmplitude = 3.5
    /// Largest ratio of horizontal to vertical oscillation of a clear step. Raise it to begin a walk sooner, even by
    /// motion of a hand. Origin: walks, and boards turned in the hand, recorded with ground truth.
    public var clearHorizontalShare = 0.55
    /// Largest root mean square of the angular rate during a clear step. Raise it to begin a walk sooner, even by
    /// motion of a hand. Unit: rad/s. Origin: walks, and boards turned in the hand, recorded with ground truth.
    public var clearRotationRate = 1.5
    /// Ratio of angular rate to amplitude when a hard tread shakes the board: a steady step up to this ratio counts as
    /// clear in spite of its angular rate. Raise it to begin a walk of hard treads sooner, even by motion of a hand.
    /// Unit: s/m. Origin: 99 % of the treads above 14 m/s² of recorded walks.
    public var treadRotation = 0.15
    /// Largest ratio of durations of a steady step and the previous step. Raise it to begin a walk of hard treads
    /// sooner, even by motion of a hand. Origin: recorded walks with hard treads, and a board swung up and down in the
    /// hand.
    public var steadyDurationRatio = 1.2
    /// Largest ratio of amplitudes of a steady step and the previous step. Raise it to begin a walk of hard treads
    /// sooner, even by motion of a hand. Origin: recorded walks with hard treads, and a board swung up and down in the
    /// hand.
    public var steadyAmplitudeRatio = 1.3
    /// Least duration of a clear step. Raise it to begin a walk later and more reliably. Unit: seconds. Origin: walks,
    /// and boards turned in the hand, recorded with ground truth.
    public var minimumClearDuration = 0.35
    /// Largest duration of a clear step. Raise it to begin a walk sooner, even by motion of a hand. Unit: seconds.
    /// Origin: walks, and boards turned in the hand, recorded with ground truth.
    public var maximumClearDuration = 0.8
    /// Number of successive similar steps that begin a walk without being clear. Raise it to begin such a walk later
    /// and more reliably. Origin: walks, and boards turned in the hand, recorded with ground truth.
    public var regularToBegin = 8
    /// Time after a step during which any possible step counts. Raise it to continue a walk after longer pauses. Unit:
    /// seconds. Origin: walks, and boards turned in the hand, recorded with ground truth.
    public var recentSeconds = 1.5
    /// Assumed duration of the first step of a walk. No peak marks the start of this step. Raise it to make that step
    /// longer. Unit: seconds. Origin: a usual step.
    public var firstDuration = 0.55
    /// Time after a step within which a single similar step counts. Raise it to resume a walk sooner after longer
    /// pauses. Unit: seconds. Origin: a stop at a crossing.
    public var memorySeconds = 60.0
    /// Pause after a step beyond which the wearer counts as standing, as a multiple of the usual step duration. Raise
    /// it to notice a stop later.
    public var pauseRatio = 1.7
    /// Amplitude below which an oscillation is not walking, as a share of the usual amplitude. Raise it to notice a
    /// stop sooner.
    public var pauseShare = 0.4
    /// Time after the last step during which a wearer who has stopped is assumed to stand. Raise it to assume standing
    /// for longer. Unit: seconds.
    public var standingSeconds = 30.0

    package init() {}

    /// Largest ratios of durations and amplitudes of similar steps.
    var alike: (durationRatio: Double, amplitudeRatio: Double) { (maximumDurationRatio, maximumAmplitudeRatio) }

    /// Largest ratios of durations and amplitudes of steady steps.
    var steady: (durationRatio: Double, amplitudeRatio: Double) { (steadyDurationRatio, steadyAmplitudeRatio) }

    /// Modelled length of a step. Units: m/s², seconds, metres.
    ///
    /// Equation: docs/filter.md (41).
    package func length(amplitude: Double, duration: Double) -> Double {
        lengthFactor * cbrt(min(amplitude, maximumLengthAmplitude)) * duration.squareRoot()
    }
}
