/// Accuracy of RTK solutions whose receiver reports none.
///
/// From NMEA sentences without GST, gpsd derives its errors from the satellites' geometry and a constant for solutions
/// without RTK. With RTK they are thus 5 m and more where centimetres would be right. An error of that size is taken for
/// gpsd's own.
package enum RTKAccuracy {
    /// Horizontal and vertical standard deviation per axis. Unit: metres.
    package struct Sigma: Hashable {
        package var horizontal: Double
        package var vertical: Double
    }

    /// Integer ambiguities. Makers claim 8 to 10 mm + 1 ppm of the baseline, vertically 15 to 20 mm + 1 ppm (RMS),
    /// within a kilometre of the base and with a survey antenna (Unicore UM980 manual; Leica GS sensors, technical
    /// data). A base of a network is 30 km away, and the antenna a small one at a body: some centimetres more, and a
    /// wrong ambiguity now and then.
    static let fixed = Sigma(horizontal: 0.1, vertical: 0.2)
    /// Ambiguities that are not resolved: between integer ones and a differential code solution, which Leica gives with
    /// 0.4 m (RMS, technical data of the GS sensors); taken as the latter, under a sky that resolved none.
    static let float = Sigma(horizontal: 0.5, vertical: 1.0)
    /// Standard deviation from which on a reported one is gpsd's own, from the geometry: its constant of 15 m or more
    /// at 95 % and the best HDOP there is, 0.4, make 2.4 m. Unit: metres.
    private static let leastOfGeometry = 2.0
    /// gpsd's error at an HDOP of 1, in 3.22; a worse geometry enlarges the bounds in proportion. Unit: metres.
    private static let errorAtUnitDilution = 19.0

    /// Bounds of the accuracy; nil where the reported one is to be used.
    ///
    /// - Parameters:
    ///   - reported: horizontal standard deviation by gpsd's report; nil without one. Unit: metres.
    ///   - horizontalError: gpsd's circular error; nil without one. Unit: metres.
    package static func bounds(
        _ solution: GPSDReport.Solution, reported: Double?, horizontalError: Double?
    ) -> Sigma? {
        let usual: Sigma
        switch solution {
        case .rtkFixed: usual = fixed
        case .rtkFloat: usual = float
        case .plain, .differential, .simulated: return nil
        }
        if let reported, reported < leastOfGeometry { return nil }
        let dilution = max(1, (horizontalError ?? 0) / errorAtUnitDilution)
        return Sigma(horizontal: usual.horizontal * dilution, vertical: usual.vertical * dilution)
    }
}
