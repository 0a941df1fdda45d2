/// Noise coefficients of one axis by its Allan deviation. Units: the axis's (rad/s, m/s² or counts) with powers of
/// seconds.
///
/// A coefficient that the record is too short to determine is nil. Source: IEEE Std 952, annex C.
public struct AxisNoise: Hashable, Sendable {
    /// Quantisation noise, Q. Unit: axis · s.
    public var quantisation: Double?
    /// Angle or velocity random walk, N. Unit: axis · √s.
    public var randomWalk: Double?
    /// Bias instability, B: the flat part of the curve is 0.664·B. Unit: axis.
    public var biasInstability: Double?
    /// Rate random walk, K. Unit: axis / √s.
    public var rateRandomWalk: Double?
    /// Rate ramp, R: a drift at a constant rate, such as during warm-up; it masks the rate random walk. Unit: axis / s.
    public var rateRamp: Double?
    /// Relative standard deviations of the coefficients that are determined.
    public var uncertainties = Uncertainties()
    /// Points of the Allan deviation, by ascending cluster time.
    public var curve: [AllanPoint]

    /// Relative standard deviations of the coefficients; nil where a coefficient is.
    public struct Uncertainties: Hashable, Sendable {
        /// Relative standard deviation of Q.
        public var quantisation: Double?
        /// Relative standard deviation of N.
        public var randomWalk: Double?
        /// Relative standard deviation of B.
        public var biasInstability: Double?
        /// Relative standard deviation of K.
        public var rateRandomWalk: Double?
        /// Relative standard deviation of R.
        public var rateRamp: Double?

        /// No coefficient determined.
        public init() {}
    }

    /// Noise with the given coefficients and no uncertainties.
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

/// One point of the Allan deviation.
public struct AllanPoint: Hashable, Sendable {
    /// Cluster time. Unit: seconds.
    public var tau: Double
    /// Allan deviation at `tau`. Unit: the axis's.
    public var deviation: Double
    /// Relative standard deviation of `deviation`.
    public var uncertainty: Double

    /// A point at the cluster time `tau`.
    public init(tau: Double, deviation: Double, uncertainty: Double) {
        self.tau = tau
        self.deviation = deviation
        self.uncertainty = uncertainty
    }
}
