/// When a board counts as moving.
///
/// Most limits are ratios to what the same sensors show while the board is quiet, so that they hold for counts too.
enum RestLimits {
    /// Variance of the rate against that of quiet windows: three times the noise. Noise itself, with at least 20 degrees of
    /// freedom a window, reaches it once in 1e12.
    static let rateRatio = 9.0
    /// Of the specific force: a step on the floor next to the board shakes it a little and turns nothing.
    static let forceRatio = 25.0
    /// Squared change of the mean from window to window against that of quiet windows, where three axes of noise stay below
    /// 40 in all but one of 1e8.
    static let stepRatio = 64.0
    /// Squared change of the mean from window to window against what the means of fifths of a window let expect. White noise,
    /// also behind a low-pass of a few hertz, is near 1, flicker at 5, and a hand sways at 10 to 30.
    static let swayRatio = 8.0
    /// Share of the windows, in order of their spread, that counts as quiet.
    static let quietShare = 0.2

    /// Spread of the rate, all axes, that no board at rest has: 1.1°/s. The noisiest sensors reach half of it.
    /// Unit: rad/s.
    static let mostShake = 0.02
    /// Bias that no sensor has: 29°/s, where the worst data sheets say 20. Unit: rad/s.
    static let mostRate = 0.5
    /// Spread of the specific force as a share of gravity: twice that of the noisiest sensors.
    static let mostForceShake = 0.02
    /// How far gravity may turn in the board's axes: what warmth does to an accelerometer, 5 mg, is 0.3°. Unit: radians.
    static let mostTilt = 0.02
    /// How far the field may turn, evenly and no quicker than the rates say. Unit: radians.
    static let mostFieldTurn = 0.09
    /// Each fifth of an even turn goes at least this share of the mean one.
    static let leastEvenness = 0.5
    /// The field may seem to turn this much quicker than the rate, which the bias is a part of.
    static let fieldQuickness = 1.5
}
