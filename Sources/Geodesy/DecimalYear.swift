/// Decimal years as magnetic models use them: 2025.0 is the first instant of 2025 UTC.
public enum DecimalYear {
    /// Decimal year from seconds since 1970-01-01 UTC; nil outside the years 1970 to 2200, where the clock must be
    /// wrong.
    public static func of(utcSeconds: Double) -> Double? {
        let secondsPerDay = 86400.0
        guard utcSeconds >= 0, utcSeconds < secondsPerDay * Double(days(before: 2201)) else { return nil }
        let day = Int(utcSeconds / secondsPerDay)
        // A year is never shorter than 365 days, so the quotient is this year or the next.
        var year = 1970 + day / 365
        while days(before: year) > day { year -= 1 }
        let start = days(before: year)
        let length = days(before: year + 1) - start
        return Double(year) + (utcSeconds / secondsPerDay - Double(start)) / Double(length)
    }

    /// Days from 1970-01-01 to the first of January, Gregorian.
    private static func days(before year: Int) -> Int {
        let past = year - 1
        return 365 * (year - 1970) + (past / 4 - past / 100 + past / 400) - 477
    }
}
