import Calibration
import Recording

/// Whether the numbers of a table are SI units, by their size.
enum SampleUnit {
    /// Gravity as an uncalibrated accelerometer may measure it at rest; in g it is 1, in counts tens and more. Unit: m/s².
    private static let gravity = 5.0...15
    /// The earth's field, 22 to 67 by the World Magnetic Model, with iron of the board's own. Unit: microtesla.
    private static let field = 15.0...80
    /// Faster than any board is turned by hand, and more than the range of most gyroscopes. Unit: rad/s.
    private static let fastestTurn = 40.0

    /// Unit of the samples of the sensor that a calibration of `kind` needs.
    ///
    /// What Waymark wrote itself is SI, and so is by its definition the inertial part of a sensor folder's `imu.csv`;
    /// anything else is looked at.
    static func of(_ survey: SampleSurvey, for kind: CalibrationKind) -> CalibrationSettings.Unit {
        kind == .magnetometer ? ofField(survey) : ofInertial(survey)
    }

    private static func ofInertial(_ survey: SampleSurvey) -> CalibrationSettings.Unit {
        if isMixed(survey) { return .arbitrary }
        if let force = survey.medianForce { return gravity.contains(force) ? .standard : .arbitrary }
        guard let rate = survey.highRate else { return .standard }
        return survey.isWhole || rate > fastestTurn ? .arbitrary : .standard
    }

    /// Whether forces are in m/s², and rates in something else: degrees, as many write them.
    static func isMixed(_ survey: SampleSurvey) -> Bool {
        guard let force = survey.medianForce, let rate = survey.highRate else { return false }
        return gravity.contains(force) && rate > fastestTurn
    }

    /// Turned about, half of an axis' range is the field itself, whatever the hard iron; at rest there is its norm alone.
    private static func ofField(_ survey: SampleSurvey) -> CalibrationSettings.Unit {
        guard let median = survey.medianField, let radius = survey.fieldRadius else { return .standard }
        return field.contains(radius) || (radius < field.lowerBound && field.contains(median)) ? .standard : .arbitrary
    }
}
