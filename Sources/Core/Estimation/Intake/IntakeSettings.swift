import Model

/// Settings of the intake: limits beyond which a measurement is refused, and defaults for values that a receiver does
/// not report.
public struct IntakeSettings: Hashable, Sendable {
    /// Angular rate beyond which a sample is refused. It is more than any MEMS sensor measures. Raise it to accept
    /// faster rotation. Unit: rad/s. Origin: 4600 °/s.
    public var maximumRate = 80.0
    /// Specific force beyond which a sample is refused. Raise it to accept harder impacts. Unit: m/s². Origin: 50
    /// g, beyond the range of MEMS parts.
    public var maximumForce = 500.0
    /// Field beyond which a sample is refused. Raise it to accept sensors that report in smaller units. Unit: that of
    /// the magnetometer. Origin: a hundred times the field of the earth.
    public var maximumField = 10_000.0
    /// Range of accepted pressures. Raise the lower bound to refuse great heights. Unit: hectopascal. Origin: the
    /// pressure at 9000 m, the highest place that people reach, and the pressure in a deep mine.
    public var pressures = 300.0...1100.0
    /// Largest time by which a measurement may be ahead of the newest inertial sample. Measurements further ahead are
    /// refused. Raise it to accept clocks that differ more. Unit: seconds. Origin: no source has a delay of this size.
    public var maximumAheadSeconds = 10.0
    /// Time for which an angular rate waits for the specific force of the same instant. Raise it to pair samples of
    /// a slower bus; poses then come later. Unit: seconds. Origin: latency of a slow bus.
    public var pairingSeconds = 0.05
    /// Standard deviation of a horizontal position if the receiver reports none. Raise it to give such fixes less
    /// weight. Unit: metres. Origin: an open street.
    public var horizontalStandardDeviation = 5.0
    /// Standard deviation of a height if the receiver reports none. Raise it to give such heights less weight. Unit:
    /// metres. Origin: twice the horizontal value, due to the geometry of satellites.
    public var verticalStandardDeviation = 10.0
    /// Standard deviation of a velocity if the receiver reports none. Raise it to give such velocities less weight.
    /// Unit: m/s. Origin: Doppler between houses.
    public var velocityStandardDeviation = 0.3
    /// Speed below which a receiver that reports speed and course has no usable course and often clamps the speed to
    /// zero (static hold). Raise it to distrust slow velocities of such receivers up to a higher speed. Unit: m/s.
    /// Origin: a stroll.
    public var courseSpeed = 1.0
    /// Lower limit of a velocity's standard deviation at speeds below `courseSpeed`. Raise it to give such velocities
    /// less weight. Unit: m/s.
    public var slowStandardDeviation = 0.5
    /// Lower limit of a position's standard deviation, whatever the receiver reports. Raise it to trust very precise
    /// receivers less. Unit: metres. Origin: accuracy of RTK.
    public var minimumPositionStandardDeviation = 0.01
    /// Lower limit of a velocity's standard deviation, whatever the receiver reports. Raise it to trust very precise
    /// receivers less. Unit: m/s. Origin: Doppler accuracy of a consumer part.
    public var minimumVelocityStandardDeviation = 0.1
    /// Date that the magnetic model uses until a fix has reported a date. Raise it when a newer model is built in.
    /// Unit: years. Origin: the declination changes by 0.2° a year.
    public var decimalYearWithoutClock = 2026.5

    /// Makes the defaults.
    public init() {}
}

extension IntakeSettings: Unsaved {}
