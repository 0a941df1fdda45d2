/// Constants of the noise fit and its verdict.
enum NoiseLimits {
    // MARK: Curve

    /// Longest cluster as a share of the record: a quarter leaves three windows side by side.
    static let longestShare = 0.25
    /// Cluster time formed with full overlap, for comparison with other programs. Unit: seconds.
    static let exactCluster = 1.0
    /// Largest number of samples of that cluster: a second at 4 kHz.
    static let mostExact = 4096
    /// Number of stamps from which the sampling interval is estimated.
    static let firstStamps = 256

    // MARK: Fit

    /// Squared relative model error of the variance at each point: 4 %, or 2 % of the deviation. It keeps the shortest
    /// clusters, known to a thousandth, from dominating the fit.
    static let modelVariance = 0.04 * 0.04
    /// Share of each variance added as independent, which keeps the covariance of nearly equal neighbours invertible.
    static let ownShare = 0.05
    /// Reduction of the squared distance that makes a process significant: Akaike's 2 would accept one in six absent
    /// processes; 6.6 is the 99 % point of chi-square with one degree of freedom.
    static let leastGain = 6.6
    /// Largest relative standard deviation of a reported coefficient.
    static let mostUncertainty = 0.4
    /// Number of rounds of fit and covariance; after three, figures change in the fourth digit.
    static let rounds = 3
    /// Mean squared normalised residual of the first points above which the fit starts later: the sensor's low-pass
    /// lowers the curve below its random walk.
    static let mostMisfit = 4.0
    /// Number of these first points: two octaves.
    static let firstPoints = 8
    /// Latest start of the fit. Unit: seconds.
    static let latestBegin = 2.0
    /// Fewest points of a fit: two for each of the four processes.
    static let leastPoints = 8

    // MARK: Record

    /// Shortest record; shorter ones determine only the angle random walk of a fast sensor. Unit: seconds.
    static let leastSeconds = 60.0
    /// Duration of a window of the rest detection. Unit: seconds.
    static let window = 1.0
    /// Number of first windows from which the baseline at rest is estimated.
    static let firstWindows = 10
    /// Largest share of the windows left out for movement.
    static let mostMoved = 0.1
    /// Largest share of the record without samples of a sensor at its end.
    static let mostSilent = 0.1
    /// Largest number of samples of one sensor in a window: 20 kHz.
    static let mostInWindow = 20_000
    /// Duration at which the session completes: six hours have clusters of an hour and a half, enough for the slow
    /// processes of consumer sensors. Unit: seconds.
    static let fullSeconds = 6 * 3600.0
}
