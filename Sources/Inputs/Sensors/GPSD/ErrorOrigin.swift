import Glibc

/// Origin of the position errors that gpsd reports: the receiver, or gpsd's own estimate.
///
/// For a receiver without an accuracy, gpsd multiplies the receiver's horizontal dilution of precision by 19 m, or by
/// 4.75 m with differential corrections (`gpsd_error_model`, gpsd 3.22 to 3.25). NMEA has the dilution in hundredths at
/// most, so that such an error is a whole multiple of 0.19 m or 0.0475 m. In the logs of gpsd's own tests, nearly all
/// errors of NMEA receivers are such multiples; errors of receivers that report an accuracy, in millimetres, are such
/// multiples by chance in one of a hundred cases. If the receiver reports no dilution, gpsd computes one with all
/// digits: its estimate then counts as the receiver's own.
package struct ErrorOrigin {
    /// Number of consecutive epochs that decide the origin. By chance, one in 190 values in millimetres is a multiple
    /// of the long step, and three in 95 are multiples of the short step; a run of this length occurs by chance in one
    /// of ten thousand cases, and more often if the receiver's error hardly changes.
    private static let minimumRunLength = 2
    private static let minimumDifferentialRunLength = 3
    /// Steps of gpsd's estimate. Unit: metres.
    private static let step = 0.19
    private static let differentialStep = 0.0475
    /// gpsd writes errors in millimetres. Unit: metres.
    private static let rounding = 0.0006

    private var run = 0

    package init() {}

    /// Takes the fix of one epoch. To be called for every epoch, because successive epochs decide.
    ///
    /// - Returns: whether the fix's circular error is an estimate by gpsd.
    package mutating func isEstimated(_ fix: GPSDReport.FixReport) -> Bool {
        guard let error = fix.horizontalError else { return false }
        let isDifferential = fix.solution == .differential
        let step = isDifferential ? Self.differentialStep : Self.step
        run = remainder(error, step).magnitude < Self.rounding ? min(run + 1, Self.minimumDifferentialRunLength) : 0
        return run >= (isDifferential ? Self.minimumDifferentialRunLength : Self.minimumRunLength)
    }
}
