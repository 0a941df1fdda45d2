/// Diagnostic thresholds, each with its source.
enum Limits {
    /// Measured rate relative to the granted rate. A sensor oscillator is accurate to 5 % (1 to 5 % in the data
    /// sheets of Bosch, InvenSense and ST); twice that error indicates lost samples or another rate setting.
    static let rateShare = 0.9...1.1
    /// Share of the granted rate below which the sensor is considered stopped most of the time.
    static let minimumRateShare = 0.5
    /// Granted rate relative to the requested rate. Drivers round (104 Hz to 111.1 Hz), but not by a quarter.
    static let grantedShare = 0.75...1.25
    /// Polling rate of the daemon: `AttributePoller` of the Sensors module. Unit: Hz.
    static let pollingRate = 100.0
    /// Standard deviation of the sampling interval relative to the interval. Interrupt timestamps of a board under load
    /// vary by a few per cent; above this limit the timestamps are not the sampling times.
    static let jitterShare = 0.2
    /// Length of a gap in median sampling intervals, as the daemon counts gaps.
    static let gapFactor = 2.0
    /// Minimum number of samples for statistics.
    static let minimumSampleCount = 20
    /// Gravity anywhere on the earth, up to a height of 9 km, is within 0.6 % of this. Unit: m/s².
    static let standardGravity = 9.80665
    /// Zero-g offsets of consumer parts are within 60 mg per axis (data sheets of BMI160, ICM-20948, LSM6DS3). A larger
    /// relative error of the measured gravity requires a calibration.
    static let gravityShare = 0.06
    /// An error this large is not an offset but a wrong scale: full-scale ranges differ by at least a factor of two.
    static let wrongGravityShare = 0.25
    /// Zero-rate offsets are within 5 °/s (ICM-20948) and 20 °/s with old parts (MPU-6050). Unit: rad/s.
    static let restRate = 0.1
    /// No part has such a bias at rest; degrees taken for radians give it. Unit: rad/s.
    static let wrongRestRate = 0.6
    /// Maximum standard deviation of the specific force's norm at rest. A still hand gives 0.1, a step several m/s².
    /// Unit: m/s².
    static let restStandardDeviation = 0.25
    /// Range of the geomagnetic field strength in the World Magnetic Model. Unit: microtesla.
    static let earthField = 22.0...67.0
    /// Error relative to the model's field strength at the position; iron in buildings disturbs it by some tenths.
    static let fieldShare = 0.25
    /// Factor of the expected strength: hard iron of a bare board reaches a multiple, a wrong unit a power of ten.
    static let wrongFieldFactor = 4.0
    /// Head pitch stays below this; a mount matrix wrong by a quarter turn gives twice as much. Unit: degrees.
    static let uprightDegrees = 45.0
    /// Error of the measured dip of the magnetic field for which it is that of the model, or that of the other sign: a
    /// field whose strength is right within `fieldShare` is off by 15°, up by 4° within `gravityShare`. Half of the dip
    /// of the model where that is less, so that a margin remains between the two. Unit: degrees.
    static let dipDegrees = 20.0
    /// Dip from which the two can be separated. Within about 13° of latitude of the magnetic equator it is
    /// less (tan dip = 2 tan latitude for a dipole). Unit: degrees.
    static let minimumDipDegrees = 25.0
    /// First day of the magnetic model, older than any board with this program. Unit: seconds since 1970 UTC.
    static let earliestTime = 1_735_689_600.0
    /// Age of a fix on arrival for which the daemon trusts the system clock: `FixConversion` of the Sensors module.
    /// Unit: seconds.
    static let fixAge = 0.0...1.5
    /// Time for a daemon connected to gpsd to receive a fix: several epochs of a slow receiver. Unit: seconds.
    static let receiverPatience = 15.0
    /// Space for calibrations, the warm start and the place database. Unit: bytes.
    static let minimumStateByteCount: UInt64 = 16 << 20
    /// Biases of consumer parts drift by their whole tolerance in a year or two, and parts near a magnetometer change
    /// sooner; compass makers advise calibration twice a year. Unit: seconds.
    static let oldCalibration = 183 * 86_400.0
    /// Zero-rate offsets drift by up to 0.05 °/s per kelvin (data sheets of BMI160 and ICM-20948): by this much in
    /// 20 K. Unit: rad/s (1 °/s).
    static let driftedBias = 0.0175
    /// Standard deviation from which on a bias of the gyroscope is not known. Unit: rad/s (0.5 °/s).
    static let unknownBias = 0.0087
}
