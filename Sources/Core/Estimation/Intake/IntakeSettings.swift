import Model

/// Settings of what is taken in: the limits beyond which a measurement is refused, and what stands for what a receiver
/// does not report.
public struct IntakeSettings: Hashable, Sendable {
    /// Angular rate beyond which a sample is refused: more than any MEMS sensor measures. Raise it to accept faster
    /// rotation. Unit: rad/s. Origin: 4600 °/s.
    public var largestRate = 80.0
    /// Specific force beyond which a sample is refused. Raise it to accept harder impacts. Unit: m/s². Origin: 50
    /// g, beyond the range of MEMS parts.
    public var largestForce = 500.0
    /// Field beyond which a sample is refused. Raise it to accept sensors in smaller units. Unit: that of the
    /// magnetometer. Origin: a hundred times the field of the earth.
    public var largestField = 10_000.0
    /// Pressures that are accepted. Raise the lower bound to refuse great heights. Unit: hectopascal. Origin: 9000 m,
    /// the highest place of people, and a mine.
    public var pressures = 300.0...1100.0
    /// Time ahead of the newest inertial sample beyond which a measurement is refused. Raise it to accept clocks
    /// that differ more. Unit: seconds. Origin: no source is as late as this.
    public var farthestAheadSeconds = 10.0
    /// Time for which an angular rate waits for the specific force of the same instant. Raise it to pair samples of
    /// a slower bus; poses then come later. Unit: seconds. Origin: latency of a slow bus.
    public var pairingSeconds = 0.05
    /// Standard deviation of a horizontal position where the receiver reports none. Raise it to let such fixes
    /// count less. Unit: metres. Origin: an open street.
    public var horizontalStandardDeviation = 5.0
    /// Standard deviation of a height where the receiver reports none. Raise it to let such heights count less.
    /// Unit: metres. Origin: twice the horizontal one, by the geometry of satellites.
    public var verticalStandardDeviation = 10.0
    /// Standard deviation of a velocity where the receiver reports none. Raise it to let such velocities count
    /// less. Unit: m/s. Origin: Doppler between houses.
    public var velocityStandardDeviation = 0.3
    /// A receiver that reports speed and course has no usable course below this speed, and often clamps the speed
    /// to zero (static hold). Raise it to distrust slow velocities of such receivers up to a higher speed.
    /// Unit: m/s. Origin: a stroll.
    public var courseSpeed = 1.0
    /// Least standard deviation of a velocity below `courseSpeed`. Raise it to let such velocities count less.
    /// Unit: m/s.
    public var slowStandardDeviation = 0.5
    /// Least standard deviation of a position, whatever the receiver reports. Raise it to trust very precise
    /// receivers less. Unit: metres. Origin: RTK.
    public var leastPositionStandardDeviation = 0.01
    /// Least standard deviation of a velocity, whatever the receiver reports. Raise it to trust very precise
    /// receivers less. Unit: m/s. Origin: Doppler by a consumer part.
    public var leastVelocityStandardDeviation = 0.1
    /// Date for the magnetic model while no fix has reported one. Raise it when a newer model is built in.
    /// Unit: years. Origin: the declination changes by 0.2° a year.
    public var decimalYearWithoutClock = 2026.5

    /// Makes the defaults.
    public init() {}
}

extension IntakeSettings: Unsaved {}
