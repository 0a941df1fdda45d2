/// The constants of finding where a board is held still, with their origin.
public enum StillnessLimits {
    /// What samples are gathered into. A tenth of a second holds a sample at 10 Hz, and is short against the second or two
    /// that a hand takes from pose to pose. Unit: seconds.
    public static let blockSeconds = 0.1
    /// Blocks over which scatter is taken, half a second. Tedaldi, Pretto and Menegatti take 1 to 2 s, and lose as much of
    /// every pose; half a second still holds five samples at 10 Hz and four swings of a hand's tremor at 8 Hz.
    public static let windowBlocks = 5
    /// A silence that ends what came before it: three blocks, three periods at 10 Hz. Unit: seconds.
    public static let gapSeconds = 0.35
    /// Held at least so long; what is asked for is about a second. Unit: seconds.
    public static let leastSeconds = 0.9
    /// Left off at both ends of a pose where it is long enough: the hand comes to rest, and starts. Unit: blocks.
    public static let trimmedBlocks = 3
    /// What must be left of a pose. Unit: blocks.
    public static let leastBlocks = 6
    /// The stillest stretches against which others are measured: so small a share of all windows that even a hand that is
    /// still for five seconds of four minutes has some among them.
    public static let stillestShare = 0.02
    /// Times the stillest scatter that still counts as still; which one is chosen by the fit. From what chance makes of
    /// five samples of three axes (1.4) to a hand against a table; about as many as the ten of Tedaldi's search.
    public static let multipliers = [1.4, 1.7, 2, 2.5, 3, 4, 6, 9, 13, 20]
    /// On a table: twice the stillest, which chance makes of no half second; more where people walk by.
    static let tableMultipliers = [2.0, 4, 9]
    /// A hand turns long before it shifts: a gyroscope's scatter may grow so many times more than the accelerometer's.
    public static let rateFactor = 5.0
    /// A pose ends where its direction has drifted so far, as a part of gravity: 3.4°, over which the mean of the vectors
    /// is shorter than they are by 0.05 %, 0.005 m/s².
    public static let drift = 0.06
    /// A pose that goes on after so long, in the same direction to 1°, is one pose. Unit: seconds; part of gravity.
    static let longestInterruption = 1.0
    static let samePose = 0.02
    /// Live, where nobody can choose by the fit: a hand held still in m/s² and rad/s, root of the sum of three axes. Tremor
    /// of 8 to 12 Hz with 0.1 mm is 0.3 m/s² at most (Elble and Koller, "Tremor", 1990); 3 °/s is a hand that still turns.
    public static let handForce = 0.25
    public static let handRate = 0.05
    /// Live, times the stillest scatter: a table that hums.
    public static let liveMultiplier = 4.0
    /// What the record keeps at most: an hour of blocks.
    public static let maximumBlocks = 36_000
    /// Angular rates are averaged over at least this long: far above what a hand's turns contain. Unit: seconds.
    public static let rateSeconds = 0.004
    /// An hour at 125 Hz, half an hour at 250 Hz.
    public static let maximumRates = 450_000
    /// Beyond it a number is none that a sensor gives, and its square would overflow in sums.
    public static let largestValue = 1e15
}
