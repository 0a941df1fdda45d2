/// Sampling rates that a driver offers in `sampling_frequency_available`, and the texts with which to request them.
package enum OfferedRates: Hashable, Sendable {
    /// The driver lists no rates.
    case unlisted
    /// The rates that the driver lists, in ascending order.
    case list([Rate])
    /// The first rate plus any whole number of steps, up to the last rate.
    case range(Range)
    /// Any rate between a minimum and a maximum (Hz). Sensors behind a Chromebook's embedded controller offer this. The
    /// kernel then lists 0, the minimum and the maximum (cros_ec_sensors_core.c).
    case between(Double, Double)

    /// A rate in the driver's own spelling.
    package struct Rate: Hashable, Sendable {
        /// The driver's text, such as `200` or `208.000000`.
        var text: String
        /// Value of the rate. Unit: Hz.
        var hertz: Double
    }

    /// The kernel's `[first step last]`. Unit: Hz.
    package struct Range: Hashable, Sendable {
        var first: Double
        var step: Double
        var last: Double
        /// Largest number of decimals among the three numbers.
        var decimals: Int
    }

    /// Parses the attribute; a text that is neither a list nor a range counts as unlisted.
    package init(_ text: String?) {
        let text = trimmed(text ?? "")
        if text.hasPrefix("[") {
            self = Range(text).map(Self.range) ?? .unlisted
            return
        }
        let words = text.split(whereSeparator: \.isWhitespace)
        let numbers = words.prefix(4).compactMap { decimal(String($0)) }
        if numbers.count == 3, numbers[0] == 0, numbers[1] > 0, numbers[2] >= numbers[1] {
            self = .between(numbers[1], numbers[2])
            return
        }
        let rates = words.prefix(Self.maximumCount).compactMap { word in
            decimal(String(word)).flatMap { $0 > 0 ? Rate(text: String(word), hertz: $0) : nil }
        }
        self = rates.isEmpty ? .unlisted : .list(rates.sorted { $0.hertz < $1.hertz })
    }

    /// Rate to request: the smallest offered rate that is not below `requested`, or else the largest. If the driver
    /// lists no rates, `requested` itself. Unit: Hz.
    package func choice(for requested: Double) -> Double {
        switch self {
        case .unlisted: requested
        case .list(let rates): Self.nearest(requested, in: rates).hertz
        case .range(let range): range.choice(for: requested)
        case .between(let minimum, let maximum): min(max(requested, minimum), maximum)
        }
    }

    /// Texts that request the rate, in the order in which they are tried. A driver refuses a format that it cannot
    /// parse (EINVAL), and some drivers parse only integers, such as "200" but not "200.0".
    package func spellings(for requested: Double) -> [String] {
        let rate = choice(for: requested)
        let forms: [String] =
            switch self {
            case .unlisted, .between: []
            case .list(let rates): [Self.nearest(requested, in: rates).text]
            case .range(let range): [Self.text(rate, decimals: range.decimals)]
            }
        let isWhole = rate == rate.rounded()
        let whole = Self.text(rate.rounded(), decimals: 0)
        let general = isWhole ? [whole] : [Self.text(rate, decimals: Self.kernelDecimals), whole]
        return (forms + general).reduce(into: []) { if $1 != "0", !$0.contains($1) { $0.append($1) } }
    }

    private static func nearest(_ requested: Double, in rates: [Rate]) -> Rate {
        rates.first { $0.hertz >= requested * (1 - tolerance) } ?? rates[rates.count - 1]
    }

    /// Decimal text without exponent. Trailing zeros are omitted if the number of decimals is the kernel's maximum.
    private static func text(_ rate: Double, decimals: Int) -> String {
        let factor = power(of: decimals)
        // Rates are far below 2^53 µHz; a larger setting is clamped.
        let units = Int64(min(max(rate, 0) * factor, 9e15).rounded())
        let whole = units / Int64(factor)
        guard decimals > 0 else { return "\(whole)" }
        let digits = "\(units % Int64(factor))"
        var fraction = String(repeating: "0", count: decimals - digits.count) + digits
        if decimals == kernelDecimals { while fraction.count > 1, fraction.hasSuffix("0") { fraction.removeLast() } }
        return "\(whole).\(fraction)"
    }

    private static func power(of decimals: Int) -> Double {
        (0..<decimals).reduce(1) { power, _ in power * 10 }
    }

    /// Maximum number of rates, since a server may list any number.
    private static let maximumCount = 256
    /// Relative tolerance for the requested rate, which may have been rounded: an offered rate that is lower by this
    /// fraction still suffices.
    fileprivate static let tolerance = 1e-6
    /// Number of decimals that the kernel parses; further decimals are ignored.
    fileprivate static let kernelDecimals = 6
}

extension OfferedRates.Range {
    /// Parses `[first step last]`; nil if it is not a range of positive rates.
    init?(_ text: Substring) {
        guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
        let words = text.dropFirst().dropLast().split(whereSeparator: \.isWhitespace).map(String.init)
        let numbers = words.compactMap(decimal)
        guard words.count == 3, numbers.count == 3, numbers[0] >= 0, numbers[1] > 0, numbers[2] > 0,
            numbers[2] >= numbers[0]
        else { return nil }
        let decimals = words.map { $0.split(separator: ".").dropFirst().first?.count ?? 0 }.max() ?? 0
        self.init(
            first: numbers[0], step: numbers[1], last: numbers[2],
            decimals: min(decimals, OfferedRates.kernelDecimals))
    }

    /// The smallest rate of the range that is not below the requested rate, otherwise the largest.
    func choice(for requested: Double) -> Double {
        let maximum = ((last - first) / step + OfferedRates.tolerance).rounded(.down)
        let wanted = ((requested * (1 - OfferedRates.tolerance) - first) / step).rounded(.up)
        // The first rate of the range may be 0, which is not a rate.
        let minimum = first > 0 ? 0.0 : 1
        return first + max(min(wanted, maximum), min(minimum, maximum)) * step
    }
}
