#if canImport(Glibc)
    import Glibc
#endif

/// Numbers of a calibration, with as many digits as they are worth.
enum CalibrationNumber {
    /// Value with two digits of its standard deviation, or with six significant digits without one.
    static func text(_ value: Double, deviation: Double?) -> String {
        guard let deviation, deviation > 0, deviation.isFinite else { return plain(value, digits: 6) }
        let decimals = decimals(deviation, digits: 2)
        return value.signed(decimals) + " ±" + deviation.fixed(decimals)
    }

    /// Rounded to a number of significant digits, with at most nine decimals.
    static func plain(_ value: Double, digits: Int) -> String { value.fixed(decimals(value, digits: digits)) }

    private static func decimals(_ value: Double, digits: Int) -> Int {
        guard value != 0, value.isFinite else { return digits > 3 ? 3 : digits }
        let order = Int(log10(value.magnitude).rounded(.down))
        return min(9, max(0, digits - 1 - order))
    }
}
