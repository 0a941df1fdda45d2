import Geometry

/// How the estimator weighs what it is told. Every value has a default that serves all recordings alike.
///
/// Origin, unless a line says otherwise: start values of a prototype tried on simulated and recorded walks and drives.
public struct EstimatorSettings: Hashable, Sendable {
    public var initial = Initial()
    public var inertial = Inertial()
    public var gnss = GNSS()
    public var magnetic = Magnetic()
    public var unaided = Unaided()
    public var rest = Rest()
    public var scene = Scene()
    public var tracking = Tracking()

    public init() {}

    /// How little is known at the start. Standard deviations.
    public struct Initial: Hashable, Sendable {
        /// Of the tilt after levelling by one sample of a body at rest. Unit: radians.
        public var tiltDeviation = 0.03
        /// Of a yaw that is not known: that of a uniform distribution, π/√3. Unit: radians.
        public var unknownYawDeviation = 1.8
        /// Of a yaw set by the magnetometer. Unit: radians.
        public var magneticYawDeviation = 0.15
        /// Unit: m/s.
        public var velocityDeviation = 0.5
        /// In a frame of its own before the first fix. Unit: metres.
        public var positionDeviation = 0.1
        /// Unit: rad/s (0.3 °/s).
        public var gyroBiasDeviation = 0.0052
        /// Unit: m/s².
        public var accelerometerBiasDeviation = 0.05
        /// Of the field, per axis.
        public var hardIronFraction = 0.025
        /// The field to which the fraction refers while none is known. Unit: microtesla.
        public var fieldForHardIron = 50.0
        /// Data before levelling counts as done. Unit: seconds.
        public var levellingSeconds = 0.5
        public init() {}
    }

    /// Noise of the inertial sensors while something else tells position or velocity.
    public struct Inertial: Hashable, Sendable {
        /// Unit: rad/s/√Hz.
        public var gyroNoise = 3e-4
        /// Unit: m/s²/√Hz.
        public var accelerometerNoise = 0.015
        /// Unit: rad/s/√s.
        public var gyroBiasWalk = 5e-6
        /// Unit: m/s²/√s.
        public var accelerometerBiasWalk = 3e-4
        /// Error of the gyroscope's scale, which acts for the time of a turn, about a second. Unit: 1.
        public var gyroScaleError = 1e-3
        /// A gap in the samples counts as one beyond this. Unit: seconds.
        public var gapSeconds = 0.1
        /// A gap after which attitude and frame are lost. Unit: seconds.
        public var lostSeconds = 5.0
        /// Random turn and push assumed within a gap. Units: rad/s/√Hz, m/s²/√Hz.
        public var gapGyroNoise = 0.5
        public var gapAccelerometerNoise = 2.0
        /// How long an angular rate waits for the force that belongs to it. Unit: seconds.
        public var pairingSeconds = 0.05
        /// What is farther ahead of the newest inertial sample is refused. Unit: seconds.
        public var farthestAheadSeconds = 10.0
        /// Beyond this a sample is refused: more than any MEMS part measures. Units: rad/s, m/s².
        public var largestRate = 80.0
        public var largestForce = 500.0
        public init() {}
    }

    /// Satellite fixes.
    public struct GNSS: Hashable, Sendable {
        /// Share of the reported standard deviation that is correlated over `correlationSeconds`, and white.
        public var correlatedShare = 0.93
        public var whiteShare = 0.35
        public var correlationSeconds = 60.0
        /// Used where the receiver reports none. Units: metres, metres, m/s.
        public var horizontalDeviation = 5.0
        public var verticalDeviation = 10.0
        public var velocityDeviation = 0.3
        /// Least standard deviations believed. Units: metres, m/s.
        public var leastPositionDeviation = 0.01
        public var leastVelocityDeviation = 0.1
        /// Share of the reported velocity deviation that is white, and correlated over `velocityCorrelationSeconds`.
        /// Origin: tried on simulated walks and on a recorded walk and drive with known errors.
        public var velocityWhiteShare = 0.6
        public var velocityCorrelatedShare = 0.35
        public var velocityCorrelationSeconds = 10.0
        /// The vertical velocity is worse than the horizontal one by this factor.
        public var verticalVelocityFactor = 1.5
        /// By how much the receiver's velocity is older than its position. Unit: seconds.
        public var velocityDelaySeconds = 0.0
        /// Standard deviations beyond which the influence is bounded.
        public var positionGate = 5.0
        public var velocityGate = 3.0
        /// So many positions in a row beyond the gate enlarge the position's variance.
        public var outliersToInflate = 3
        /// Positions beyond the gate for so long set the position anew. Unit: seconds.
        public var resetSeconds = 10.0
        /// A fix older than this against the newest inertial sample is refused. Unit: seconds.
        public var oldestSeconds = 2.5
        public init() {}
    }

    /// The magnetometer.
    public struct Magnetic: Hashable, Sendable {
        /// White noise across the horizontal field, in parts of the total field, aided. Unit: √s (0.9 % at 50 Hz).
        public var crossNoise = 0.00127
        /// White noise of the yaw in the unaided mode, in which the field is all that holds the heading. Unit: rad·√s.
        public var unaidedYawNoise = 0.3
        /// Of the local direction of the field: standard deviation and time constant. Units: radians, seconds.
        public var offsetDeviation = 0.004
        public var offsetSeconds = 20.0
        /// How long a disturbance stays the same, and over how long its strength is averaged. Unit: seconds.
        public var disturbanceSeconds = 3.0
        public var discrepancyMeanSeconds = 1.0
        /// White noise of a field component against the model, in parts of the total. Unit: √s.
        public var componentNoise = 0.004
        /// Random walk of the hard iron, in parts of the field. Unit: 1/√s.
        public var hardIronWalk = 2e-5
        /// Gates of norm (relative) and inclination (radians) against the model's field.
        public var modelNormGate = 0.04
        public var modelInclinationGate = 0.052
        /// Gates against a reference that was only tracked.
        public var trackedNormGate = 0.07
        public var trackedInclinationGate = 0.17
        /// Time constant of the tracked reference. Unit: seconds.
        public var referenceSeconds = 20.0
        /// The field must have passed for so long before it counts. Unit: seconds.
        public var settleSeconds = 0.5
        /// Standard deviations of the yaw's innovation beyond which a sample is left out.
        public var yawGate = 3.0
        /// A field rejected for so long is used weakly. Unit: seconds.
        public var weakAfterSeconds = 60.0
        /// Enlarges the variance of a weak field.
        public var weakFactor = 3.0
        /// A field that stayed stable in motion for so long is a new reference. Unit: seconds.
        public var newReferenceSeconds = 20.0
        /// For the model, while no fix has told the date.
        public var decimalYearWithoutClock = 2026.5
        /// Beyond this a sample is refused. Unit: that of the magnetometer.
        public var largestField = 10_000.0
        /// Samples closer than this are skipped. Unit: seconds.
        public var leastInterval = 0.018
        public init() {}
    }

    /// No satellites: only a hand or a head that moves about one place is assumed.
    public struct Unaided: Hashable, Sendable {
        /// Continuous noise of "the position is what it was" and of "the velocity is zero". Units: m·√s, m/s·√s.
        public var positionNoise = 2.6
        public var velocityNoise = 0.39
        /// Noise of the inertial sensors in this mode. Units: rad/s/√Hz, m/s²/√Hz.
        public var gyroNoise = 0.008
        public var accelerometerNoise = 0.156
        /// Begins when no fix has come for so long and the velocity is no better than this. Units: seconds, m/s.
        public var afterSeconds = 30.0
        public var velocityDeviation = 1.0
        /// Speed at which the position may drift away unnoticed: walking. Unit: m/s.
        public var unnoticedSpeed = 1.0
        /// Standard deviation of the velocity when fixes return. Unit: m/s.
        public var returnVelocityDeviation = 3.0
        /// Of the specific force as the direction of gravity, quasi-static: continuous noise. Unit: m/s²·√s.
        public var gravityNoise = 0.6
        public init() {}
    }

    /// Rest, and what it tells.
    public struct Rest: Hashable, Sendable {
        /// Root mean squares about the slow mean that still are rest. Units: rad/s, m/s².
        public var rateDeviation = 0.02
        public var forceDeviation = 0.2
        /// Largest mean angular rate at rest, biases included. Unit: rad/s.
        public var largestMeanRate = 0.035
        public var meanSeconds = 0.5
        public var settleSeconds = 1.5
        /// A fresh GNSS speed above this contradicts. Unit: m/s.
        public var gnssSpeed = 0.3
        /// Continuous noise of "velocity is zero" and "the mean rate is the bias". Units: m/s·√s, rad/s·√s.
        public var velocityNoise = 0.03
        public var rateNoise = 0.001
        /// Standard deviations of the velocity beyond which a verdict is not believed.
        public var gate = 3.0
        public init() {}
    }

    /// The continuous frame under which content is laid out.
    public struct Scene: Hashable, Sendable {
        /// Largest turn of the published alignment, and its share of the head's own turning. Units: rad/s, 1.
        public var slewRate = 0.087
        public var slewShareOfTurning = 0.15
        /// Largest shift of the published alignment. Unit: m/s.
        public var slewSpeed = 1.0
        public var slewShareOfSpeed = 0.5
        /// Time constant and largest rate with which the scene's tilt follows. Units: seconds, rad/s.
        public var tiltSeconds = 0.5
        public var tiltRate = 0.035
        /// A correction is announced at most so often, beyond these changes. Units: seconds, radians, metres.
        public var announceSeconds = 0.1
        public var announceYaw = 3e-4
        public var announceShift = 0.005
        public init() {}
    }

    /// When the state is called what.
    public struct Tracking: Hashable, Sendable {
        /// Accuracies (68 %) that make the state localized; lost at the added margin. Units: metres, radians.
        public var horizontalAccuracy = 10.0
        public var horizontalMargin = 10.0
        public var yawAccuracy = 0.262
        public var yawMargin = 0.175
        /// Silence that is reported. Unit: seconds.
        public var inertialSilence = 0.5
        public var magneticSilence = 2.0
        public var gnssSilence = 5.0
        /// How long a reason stays after a gap. Unit: seconds.
        public var gapMemory = 2.0
        public init() {}
    }
}
