/// The noise of one axis. Units: the axis's (rad/s or m/s², or counts) with powers of seconds. A coefficient that the record
/// is too short to tell is nil.
public struct AxisNoise: Hashable, Sendable {
    /// Q. Unit: axis · s.
    public var quantisation: Double?
    /// Angle or velocity random walk, N. Unit: axis · √s.
    public var randomWalk: Double?
    /// Bias instability, B: the flat part of the curve is 0.664·B. Unit: axis.
    public var biasInstability: Double?
    /// Rate random walk, K. Unit: axis / √s.
    public var rateRandomWalk: Double?
    /// R, a drift at a constant pace, such as by warming up; it hides the rate random walk. Unit: axis / s.
    public var rateRamp: Double?
    /// Relative standard deviations of Q, N, B, K and R where they are told.
    public var uncertainties = Uncertainties()
    /// By cluster time.
    public var curve: [AllanPoint]

    public struct Uncertainties: Hashable, Sendable {
        public var quantisation: Double?
        public var randomWalk: Double?
        public var biasInstability: Double?
        public var rateRandomWalk: Double?
        public var rateRamp: Double?

        public init() {}
    }

    public init(
        randomWalk: Double? = nil, biasInstability: Double? = nil, rateRandomWalk: Double? = nil,
        curve: [AllanPoint] = []
    ) {
        self.randomWalk = randomWalk
        self.biasInstability = biasInstability
        self.rateRandomWalk = rateRandomWalk
        self.curve = curve
    }
}

/// One point of Allan's deviation.
public struct AllanPoint: Hashable, Sendable {
    /// Cluster time. Unit: seconds.
    public var tau: Double
    public var deviation: Double
    /// Relative standard deviation of `deviation`.
    public var uncertainty: Double

    public init(tau: Double, deviation: Double, uncertainty: Double) {
        self.tau = tau
        self.deviation = deviation
        self.uncertainty = uncertainty
    }
}
