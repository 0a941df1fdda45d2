/// Where fine ends, each with its origin.
public enum Limits {
    // MARK: signals

    /// Of the rate that the driver granted. A sensor's own oscillator is off by up to 5 % (Bosch, InvenSense and ST say 1 to
    /// 5 % in their data sheets); what lies beyond twice that was lost or is another setting.
    static let rateShare = 0.9...1.1
    /// Below so much of it the sensor has stopped for most of the time.
    static let leastRateShare = 0.5
    /// Of what was asked: drivers round, 104 Hz becomes 111.1. Beyond a quarter it is not rounding.
    static let grantedShare = 0.75...1.25
    /// As fast as the daemon polls: `AttributePoller` of the Sensors module. Unit: Hz.
    static let pollingRate = 100.0
    /// Standard deviation of the time between samples as a share of that time: a board under load that stamps in its interrupt
    /// shows some per cent. From here on the stamps are not those of the samples.
    static let jitterShare = 0.2
    /// A time between two samples of more than so many usual ones is a gap; as the daemon counts them.
    static let gapFactor = 2.0
    /// With fewer samples nothing is said of their statistics.
    static let leastSamples = 20

    // MARK: scales

    /// From the equator to the pole, and from the sea to 9 km, gravity is within 0.6 % of this. Unit: m/s².
    static let standardGravity = 9.80665
    /// Zero-g offsets of consumer parts are within 60 mg an axis (data sheets of BMI160, ICM-20948, LSM6DS3): what is more
    /// than their mean over three axes has to be calibrated.
    static let gravityShare = 0.06
    /// And what is off by so much is no offset: the least step from one range of a part to another is a factor of two.
    static let wrongGravityShare = 0.25
    /// Zero-rate offsets are within 5 °/s (ICM-20948) and 20 °/s with old parts (MPU-6050). Unit: rad/s.
    static let restRate = 0.1
    /// No part is off by so much while it lies still; degrees taken for radians are. Unit: rad/s.
    static let wrongRestRate = 0.6
    /// Standard deviation of the strength of the force over the time looked at: less is rest. A hand that holds still makes
    /// 0.1, a step several. Unit: m/s².
    static let restDeviation = 0.25
    /// The earth's field, from the South Atlantic to the poles of the World Magnetic Model. Unit: microtesla.
    static let earthField = 22.0...67.0
    /// Of the model's strength at the place; iron in a house bends the field by some tenths.
    static let fieldShare = 0.25
    /// Of the strength expected: hard iron of a bare board reaches a multiple, a wrong unit a power of ten.
    static let wrongFieldFactor = 4.0

    // MARK: mount

    /// A head looks up and down by less than this; a matrix that is turned by a quarter is off by twice as much. Unit: degrees.
    static let uprightDegrees = 45.0

    // MARK: clock

    /// The magnetic model's first day: no board with this program in it was built before. Seconds since 1970 UTC.
    static let earliestTime = 1_735_689_600.0
    /// How old a fix may look on arrival for the daemon to take the system's clock: `FixConversion` of the Sensors module.
    /// Unit: seconds.
    static let fixAge = 0.0...1.5

    /// After which a daemon that reaches gpsd has had a fix of a receiver that has them: some epochs of a slow one. Unit: s.
    static let receiverPatience = 15.0

    // MARK: disk

    /// Calibrations, the warm start and a store of places in use. Unit: bytes.
    static let leastStateBytes: UInt64 = 16 << 20

    // MARK: calibration

    /// Biases of consumer parts wander by their whole tolerance in a year or two, and what is mounted near a magnetometer
    /// changes sooner: twice a year is what makers of compasses advise. Unit: seconds.
    static let oldCalibration = 183 * 86_400.0
}
