/// What the calibration of a gyroscope at rest goes by.
enum GyroscopeLimits {
    /// In which rest is judged. Unit: seconds.
    static let window = 0.5
    /// How long the board may still be put down after the first sample. Unit: seconds.
    static let settle = 10.0
    /// Rest begins with so many quiet windows: 2 s.
    static let firstWindows = 4
    /// Least rest. Unit: seconds.
    static let leastSeconds = 10.0
    /// It ends by itself at the latest after so much rest. Unit: seconds.
    static let fullSeconds = 60.0
    /// The standard deviation of the bias at which it ends: a tenth of a degree of heading in a minute. Unit: rad/s.
    static let goodDeviation = 3e-5
    /// Chi-square's point of 99.9 %, in standard deviations of its cube root: a random walk that is not there, once believed,
    /// would count for much.
    static let certainty = 3.09
    /// How often the deviation is looked at, in windows: 5 s.
    static let reviewEvery = 10
    /// A break in the samples that is none of batches any more. Unit: seconds.
    static let longestGap = 1.0
    /// For how long the predicted error of the heading holds without any aid. Unit: seconds.
    static let coast = 60.0
    /// Windows that are kept: an hour.
    static let mostWindows = 7200
    /// Samples that wait until it is known where rest begins: 10 s at 4 kHz.
    static let mostWaiting = 40_000
}
