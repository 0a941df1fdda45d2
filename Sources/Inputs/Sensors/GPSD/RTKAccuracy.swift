import Model

/// Accuracy of RTK solutions whose receiver reports none.
///
/// If the NMEA sentences lack GST, gpsd derives its errors from the satellite geometry and a constant that is meant for
/// solutions without RTK. With RTK, these errors are 5 m or more where centimetres would be right.
enum RTKAccuracy {
    /// Accuracy with fixed integer ambiguities. Makers claim 8 to 10 mm + 1 ppm of the baseline horizontally and 15 to
    /// 20 mm + 1 ppm vertically (RMS), within a kilometre of the base and with a survey antenna (Unicore UM980 manual;
    /// Leica GS sensors, technical data). The base of a correction network may be 30 km away, and a worn antenna is
    /// small. Both add some centimetres, and now and then an ambiguity is fixed to a wrong value.
    private static let fixed = (horizontal: 0.1, vertical: 0.2)
    /// Accuracy with float ambiguities. It lies between the accuracy with fixed ambiguities and that of a differential
    /// code solution, for which Leica states 0.4 m (RMS, technical data of the GS sensors). The latter is assumed,
    /// because the view of the sky did not permit resolving the ambiguities.
    private static let float = (horizontal: 0.5, vertical: 1.0)
    /// gpsd's position error at an HDOP of 1, in gpsd 3.22. A worse geometry increases this error and the standard
    /// deviations in the same proportion. Unit: metres.
    private static let errorAtUnitDilution = 19.0

    /// Usual accuracy of a solution type; nil for solutions without RTK.
    ///
    /// - Parameter estimatedError: circular error as estimated by gpsd; nil without one. Unit: metres.
    static func usual(_ solution: GPSDReport.Solution, estimatedError: Double?) -> GNSSFix.PositionSigma? {
        let usual: (horizontal: Double, vertical: Double)
        switch solution {
        case .rtkFixed: usual = fixed
        case .rtkFloat: usual = float
        case .plain, .differential, .simulated: return nil
        }
        let dilution = max(1, (estimatedError ?? 0) / errorAtUnitDilution)
        let horizontal = usual.horizontal * dilution
        return .init(east: horizontal, north: horizontal, up: usual.vertical * dilution)
    }
}
