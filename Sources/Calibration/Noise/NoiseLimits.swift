/// What the fit of noise and its verdict go by.
enum NoiseLimits {
    // MARK: the curve

    /// The longest cluster, as a share of the record: with a quarter there are three windows side by side.
    static let longestShare = 0.25
    /// The cluster that is formed sample by sample, so that its deviation is the one that others compute. Unit: seconds.
    static let exactCluster = 1.0
    /// Samples of it at most: a second at 4 kHz.
    static let mostExact = 4096
    /// Stamps from which the interval of a sensor is learnt.
    static let firstStamps = 256

    // MARK: the fit

    /// What a real sensor's variance may differ from the sum of processes at each point; 4 % is 2 % of the deviation, far
    /// less than a curve on paper tells. It keeps the shortest clusters, known to a thousandth, from deciding alone.
    static let modelVariance = 0.04 * 0.04
    /// Neighbours on the curve are nearly the same number; this share of each variance as its own keeps them invertible.
    static let ownShare = 0.05
    /// A process must lower the squared distance by so much to be told: Akaike's 2 would take one in six that is not there,
    /// 6.6 is the 99 % point of chi-square with one degree of freedom.
    static let leastGain = 6.6
    /// A coefficient with a larger relative standard deviation is not told.
    static let mostUncertainty = 0.4
    /// Rounds of fit and covariance; after three, figures change in the fourth digit.
    static let rounds = 3
    /// Mean squared distance of the first points, in their standard deviations, above which the curve begins later: a
    /// sensor's low-pass bends it below its random walk.
    static let mostMisfit = 4.0
    /// How many those are: two octaves.
    static let firstPoints = 8
    /// The fit begins here at the latest. Unit: seconds.
    static let latestBegin = 2.0
    /// Points that a fit needs: two for each of the four processes.
    static let leastPoints = 8

    // MARK: the record

    /// Shorter ones tell nothing but the random walk of a quick sensor. Unit: seconds.
    static let leastSeconds = 60.0
    /// Windows in which rest is judged. Unit: seconds.
    static let window = 1.0
    /// From the first of them on it is learnt how much the board moves at rest.
    static let firstWindows = 10
    /// Share of the windows left out for movement, above which the record is refused.
    static let mostMoved = 0.1
    /// A sensor that is silent at the end for longer than this share of the record has vanished.
    static let mostSilent = 0.1
    /// Samples of one sensor in a window, of whatever stamps: 20 kHz.
    static let mostInWindow = 20_000
    /// A record of six hours has clusters of an hour and a half: enough for the slow processes of the sensors in question.
    /// Unit: seconds.
    static let fullSeconds = 6 * 3600.0
}
