/// Thresholds beyond which a board counts as moving.
///
/// Most limits are ratios to the noise of the same sensors at rest, so that they hold for counts too.
enum RestLimits {
    /// Ratio of the rate's variance to that of quiet windows: three times the noise. Noise alone, with at least 20
    /// degrees of freedom a window, reaches it once in 1e12.
    static let rateRatio = 9.0
    /// The same ratio of the specific force: a step on the floor next to the board shakes it without turning it.
    static let forceRatio = 25.0
    /// Ratio of the squared change of the mean from window to window to that of quiet windows. Noise of three axes
    /// exceeds 40 once in 1e8.
    static let stepRatio = 64.0
    /// Ratio of the squared change of the mean from window to window to the one predicted from fifths of a window.
    /// White noise, also behind a low-pass of a few hertz, is near 1, flicker noise at 5, the sway of a hand at 10 to
    /// 30.
    static let swayRatio = 8.0
    /// Share of the windows, sorted by variance, that counts as quiet.
    static let quietShare = 0.2

    /// Standard deviation of the rate, all axes, above which no board is at rest: 1.1°/s. The noisiest sensors reach
    /// half of it. Unit: rad/s.
    static let mostShake = 0.02
    /// Mean rate above any bias: 29°/s, where the worst data sheets give 20°/s. Unit: rad/s.
    static let mostRate = 0.5
    /// Standard deviation of the specific force as a share of gravity: twice that of the noisiest sensors.
    static let mostForceShake = 0.02
    /// Largest change of gravity's direction in the board's axes. Thermal drift of an accelerometer, 5 mg, is 0.3°.
    /// Unit: radians.
    static let mostTilt = 0.02
    /// Largest steady rotation of the field that is no faster than the measured rates. Unit: radians.
    static let mostFieldTurn = 0.09
    /// Least rotation in each fifth of a steady turn, as a share of the mean over the fifths.
    static let leastEvenness = 0.5
    /// Largest ratio of the field's rotation rate to the measured rate, which includes the bias.
    static let fieldQuickness = 1.5
}
