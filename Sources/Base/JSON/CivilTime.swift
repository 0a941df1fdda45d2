extension TextBuffer {
    /// Appends a UTC time as RFC 3339 with microseconds, such as `2026-06-21T00:00:00.500000Z`, without leap seconds.
    ///
    /// - Parameter nanoseconds: time since 1970-01-01 UTC.
    public mutating func append(rfc3339 nanoseconds: Int64) {
        let day = 86_400_000_000_000 as Int64
        let remainder = nanoseconds % day
        let inDay = remainder < 0 ? remainder + day : remainder
        let date = CivilDate(daysSince1970: nanoseconds / day - (remainder < 0 ? 1 : 0))
        append(date.year, digits: 4)
        append(UInt8(ascii: "-"))
        append(date.month, digits: 2)
        append(UInt8(ascii: "-"))
        append(date.day, digits: 2)
        append(UInt8(ascii: "T"))
        append(inDay / 3_600_000_000_000, digits: 2)
        append(UInt8(ascii: ":"))
        append(inDay / 60_000_000_000 % 60, digits: 2)
        append(UInt8(ascii: ":"))
        append(inDay / 1_000_000_000 % 60, digits: 2)
        append(UInt8(ascii: "."))
        append(inDay / 1000 % 1_000_000, digits: 6)
        append(UInt8(ascii: "Z"))
    }

    private mutating func append(_ value: Int64, digits: Int) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
            divisor /= 10
        }
    }
}

/// A day of the Gregorian calendar.
package struct CivilDate: Hashable {
    package var year: Int64
    package var month: Int64
    package var day: Int64

    /// Makes a date from year, month and day; nil if the date does not exist.
    package init?(year: Int64, month: Int64, day: Int64) {
        (self.year, self.month, self.day) = (year, month, day)
        guard (1...12).contains(month), CivilDate(daysSince1970: daysSince1970) == self else { return nil }
    }

    /// Makes a date by counting days in years that begin in March, so that 29 February is the last day, and in eras of
    /// 400 years, which all have 146 097 days. Nanoseconds in an Int64 cover the years 1677 to 2262.
    package init(daysSince1970 days: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Number of days from 1970-01-01 to this date.
    package var daysSince1970: Int64 {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let era = (yearFromMarch >= 0 ? yearFromMarch : yearFromMarch - 399) / 400
        let yearOfEra = yearFromMarch - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension JSONWriter {
    /// Writes a UTC instant as RFC 3339.
    ///
    /// - Parameter nanoseconds: time since 1970-01-01 UTC.
    public mutating func value(rfc3339 nanoseconds: Int64) {
        beginText()
        text.append(rfc3339: nanoseconds)
        endText()
    }
}
