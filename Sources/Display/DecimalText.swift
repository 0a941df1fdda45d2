/// Decimal text of a number with a fixed count of digits behind the point, as people read it.
extension Double {
    /// `1.25.fixed(1)` is "1.3": halves are rounded away from zero, and a zero has no sign.
    ///
    /// - Parameter digits: 0 to 9.
    public func fixed(_ digits: Int) -> String {
        precondition((0...9).contains(digits), "from none to nine digits")
        guard isFinite else { return "-" }
        var power: Int64 = 1
        for _ in 0..<digits { power *= 10 }
        let scaled = (self * Double(power)).rounded(.toNearestOrAwayFromZero)
        // Beyond what an integer holds the digits behind the point mean nothing any more.
        guard let units = Int64(exactly: scaled) else { return "\(self)" }
        let whole = units.magnitude / power.magnitude
        let sign = units < 0 ? "-" : ""
        guard digits > 0 else { return sign + "\(whole)" }
        let fraction = "\(units.magnitude % power.magnitude)"
        return sign + "\(whole)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }

    /// Decimal text as of `fixed`, with "+" before numbers that are not below zero.
    public func signed(_ digits: Int) -> String {
        let text = fixed(digits)
        return text.hasPrefix("-") ? text : "+" + text
    }
}

extension String {
    /// Spaces before the text until it is `width` characters wide.
    public func right(_ width: Int) -> String { String(repeating: " ", count: Swift.max(0, width - count)) + self }

    /// Spaces behind the text until it is `width` characters wide.
    public func left(_ width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}
