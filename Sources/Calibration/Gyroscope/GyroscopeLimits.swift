/// Constants of the gyroscope's calibration at rest.
enum GyroscopeLimits {
    /// Duration of a window of the rest detection. Unit: seconds.
    static let window = 0.5
    /// Time after the first sample in which the board may still be put down. Unit: seconds.
    static let settle = 10.0
    /// Number of quiet windows with which rest begins: 2 s.
    static let firstWindows = 4
    /// Shortest rest. Unit: seconds.
    static let leastSeconds = 10.0
    /// Rest after which the session completes at the latest. Unit: seconds.
    static let fullSeconds = 60.0
    /// Standard deviation of the bias at which the session completes: 0.1° of heading in a minute. Unit: rad/s.
    static let goodDeviation = 3e-5
    /// The 99.9 % point of chi-square in standard deviations of its cube root: a spurious random walk would inflate the
    /// predicted error.
    static let certainty = 3.09
    /// Number of windows between two checks for completion: 5 s.
    static let reviewEvery = 10
    /// Longest gap between samples, beyond that of batched delivery. Unit: seconds.
    static let longestGap = 1.0
    /// Time without aiding for which the heading error is predicted. Unit: seconds.
    static let coast = 60.0
    /// Largest number of windows kept: an hour.
    static let mostWindows = 7200
    /// Largest number of samples held until the start of the rest is known: 10 s at 4 kHz.
    static let mostWaiting = 40_000
}
