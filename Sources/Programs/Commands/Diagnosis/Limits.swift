/// Diagnostic thresholds, each with its source.
enum Limits {
    /// Accepted ratio of the measured rate to the granted rate. A sensor oscillator is accurate to 5 % (1 to 5 % in the
    /// data sheets of Bosch, InvenSense and ST); twice that error indicates lost samples or another rate setting.
    static let rateShare = 0.9...1.1
    /// Share of the granted rate below which the sensor is considered stopped most of the time.
    static let minimumRateShare = 0.5
    /// Accepted ratio of the granted rate to the requested rate. Drivers round (104 Hz to 111.1 Hz), but by less than a
    /// quarter.
    static let grantedShare = 0.75...1.25
    /// Rate at which the daemon polls sensors (`AttributePoller` of the Sensors module). Unit: Hz.
    static let pollingRate = 100.0
    /// Maximum standard deviation of the sampling interval, relative to the median interval. Interrupt timestamps of a
    /// board under load vary by a few per cent; above this limit the timestamps are not the sampling times.
    static let jitterShare = 0.2
    /// Length above which a sampling interval is a gap, as a multiple of the median interval. The daemon uses the same
    /// limit.
    static let gapFactor = 2.0
    /// Minimum number of samples for statistics.
    static let minimumSampleCount = 20
    /// Standard gravity. On earth, up to a height of 9 km, gravity differs from it by at most 0.6 %. Unit: m/s².
    static let standardGravity = 9.80665
    /// Maximum relative error of the measured gravity: zero-g offsets of consumer parts are within 60 mg per axis (data
    /// sheets of BMI160, ICM-20948, LSM6DS3). A larger error requires a calibration.
    static let gravityShare = 0.06
    /// Relative error of the measured gravity above which the scale is wrong: no offset is this large, and full-scale
    /// ranges differ by at least a factor of two.
    static let wrongGravityShare = 0.25
    /// Maximum plausible rate at rest. Zero-rate offsets are within 5 °/s (ICM-20948), and within 20 °/s for old parts
    /// (MPU-6050). Unit: rad/s.
    static let restRate = 0.1
    /// Rate at rest that is too large to be the bias of any sensor. It is typical of values in °/s that are read as
    /// rad/s. Unit: rad/s.
    static let wrongRestRate = 0.6
    /// Maximum standard deviation of the specific force's norm at rest. A still hand gives 0.1, a step several m/s².
    /// Unit: m/s².
    static let restStandardDeviation = 0.25
    /// Range of the geomagnetic field strength in the World Magnetic Model. Unit: microtesla.
    static let earthField = 22.0...67.0
    /// Maximum error relative to the model's field strength at the position; iron in buildings disturbs the field by
    /// some tenths.
    static let fieldShare = 0.25
    /// Ratio of the measured to the expected field strength, or its inverse, from which the unit is assumed to be
    /// wrong. The hard iron of a bare board causes a small ratio, a wrong unit a power of ten.
    static let wrongFieldFactor = 4.0
    /// Maximum tilt of a head that is held upright; a mount matrix that is wrong by a quarter turn gives twice this
    /// tilt. Unit: degrees.
    static let uprightDegrees = 45.0
    /// Maximum difference at which a measured dip counts as equal to the model's dip, or to its negative. A field
    /// strength within `fieldShare` causes a dip error of up to 15°, and an acceleration within `gravityShare` an error
    /// of up to 4°. If half the model's dip is less than this limit, half the dip is used instead, so that a margin
    /// remains between the two cases. Unit: degrees.
    static let dipDegrees = 20.0
    /// Minimum dip of the model, up or down, at which a measured dip is distinguished from its negative. Within about
    /// 13° of latitude of the magnetic equator the dip is less (tan dip = 2 tan latitude for a dipole). Unit: degrees.
    static let minimumDipDegrees = 25.0
    /// First day of the magnetic model; a system clock before this is wrong. Unit: seconds since 1970 UTC.
    static let earliestTime = 1_735_689_600.0
    /// Range of a fix's age on arrival within which the daemon trusts the system clock (`FixConversion` of the Sensors
    /// module). Unit: seconds.
    static let fixAge = 0.0...1.5
    /// Time within which a daemon that is connected to gpsd should receive a fix: several epochs of a slow receiver.
    /// Unit: seconds.
    static let receiverPatience = 15.0
    /// Minimum free space for calibrations, the warm start and the place database. Unit: bytes.
    static let minimumStateByteCount: UInt64 = 16 << 20
    /// Age above which a calibration is old. Biases of consumer parts drift by their whole tolerance in a year or two,
    /// and parts near a magnetometer change sooner; compass makers advise calibration twice a year. Unit: seconds.
    static let oldCalibration = 183 * 86_400.0
    /// Bias, in addition to the calibrated bias, above which a gyroscope counts as drifted. Zero-rate offsets drift by
    /// up to 0.05 °/s per kelvin (data sheets of BMI160 and ICM-20948), and so reach this limit, 1 °/s, after 20 K.
    /// Unit: rad/s.
    static let driftedBias = 0.0175
    /// Standard deviation above which the bias of a gyroscope counts as unknown. Unit: rad/s (0.5 °/s).
    static let unknownBias = 0.0087
}
