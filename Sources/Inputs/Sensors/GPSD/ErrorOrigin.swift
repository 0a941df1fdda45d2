import Glibc

/// Origin of the position errors that gpsd reports: the receiver, or gpsd's own estimate.
///
/// For a receiver without an accuracy, gpsd multiplies the receiver's horizontal dilution of precision by 19 m, or by
/// 4.75 m with differential corrections (`gpsd_error_model`, gpsd 3.22 to 3.25). NMEA has at most hundredths of the
/// dilution, so that such an error is a whole multiple of 0.19 m or 0.0475 m. In the logs of gpsd's own tests, nearly
/// all errors of NMEA receivers are such multiples. Receivers that report an accuracy do so in millimetres, and one in
/// a hundred of their errors is such a multiple by chance. If the receiver reports no dilution, gpsd computes one with
/// all digits, and its estimate then counts as the receiver's own.
package struct ErrorOrigin {
    /// Number of consecutive epochs that decide the origin. One in 190 values in millimetres is by chance a multiple of
    /// the long step, and three in 95 are multiples of the short step. A run of this length therefore occurs by chance
    /// in one of ten thousand cases, or more often if the receiver's error hardly changes.
    private static let minimumRunLength = 2
    private static let minimumDifferentialRunLength = 3
    /// Steps of gpsd's estimate. Unit: metres.
    private static let step = 0.19
    private static let differentialStep = 0.0475
    /// Rounding of errors, which gpsd writes in millimetres. Unit: metres.
    private static let rounding = 0.0006

    private var run = 0

    package init() {}

    /// Takes the fix of one epoch. Has to be called for every epoch, because successive epochs decide.
    ///
    /// - Returns: whether gpsd estimated the fix's circular error.
    package mutating func isEstimated(_ fix: GPSDReport.FixReport) -> Bool {
        guard let error = fix.horizontalError else { return false }
        let isDifferential = fix.solution == .differential
        let step = isDifferential ? Self.differentialStep : Self.step
        run = remainder(error, step).magnitude < Self.rounding ? min(run + 1, Self.minimumDifferentialRunLength) : 0
        return run >= (isDifferential ? Self.minimumDifferentialRunLength : Self.minimumRunLength)
    }
}
