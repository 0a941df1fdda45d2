import Glibc

/// Linear axis of a drawing, with ticks at round values.
struct Scale {
    let lower: Double
    let upper: Double
    /// Coordinates of the two limits in the drawing.
    private let from: Double
    private let to: Double

    /// Maps values between `lower` and `upper` to coordinates between `from` and `to`. An empty range of values is
    /// widened to 1.
    init(_ lower: Double, _ upper: Double, from: Double, to: Double) {
        let isWide = upper - lower > 1e-9
        self.lower = isWide ? lower : lower - 0.5
        self.upper = isWide ? upper : lower + 0.5
        self.from = from
        self.to = to
    }

    /// Coordinate of a value in the drawing, clamped to the axis.
    func place(_ value: Double) -> Double {
        let share = (min(max(value, lower), upper) - lower) / (upper - lower)
        return from + share * (to - from)
    }

    /// Returns approximately `count` values for ticks within the range: multiples of 1, 2 or 5 times a power of ten.
    func ticks(about count: Int) -> [Double] {
        multiples(of: Self.step((upper - lower) / Double(count)))
    }

    /// Returns approximately `count` values for ticks within the range: whole seconds, minutes or hours.
    func timeTicks(about count: Int) -> [Double] {
        let wanted = (upper - lower) / Double(count)
        let step = Self.timeSteps.first { $0 >= wanted } ?? (wanted / 86_400).rounded(.up) * 86_400
        return multiples(of: step)
    }

    /// Smallest number of the series …, 0.1, 0.2, 0.5, 1, 2, 5, 10, … that is at least `wanted`.
    static func step(_ wanted: Double) -> Double {
        guard wanted > 1e-9, wanted < 1e15 else { return 1 }
        var power = 1.0
        while power > wanted { power /= 10 }
        while power * 10 <= wanted { power *= 10 }
        return [1.0, 2, 5].map { $0 * power }.first { $0 >= wanted } ?? 10 * power
    }

    private static let timeSteps: [Double] = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
    ]

    private func multiples(of step: Double) -> [Double] {
        let first = (lower / step).rounded(.up)
        let count = ((upper - first * step) / step).rounded(.down)
        // If one of the ticks would not be finite, there are none.
        guard count >= 0, first.isFinite else { return [] }
        return (0...Int(min(count, 100))).map { (first + Double($0)) * step }
    }
}

/// Elapsed time as text: `1:02:03` or `2:03.4`.
func elapsedText(_ seconds: Double, decimals: Int = 0) -> String {
    // The time is rounded to whole units first, so that 59.96 s is not written as 0:60.0.
    let unit = decimals == 0 ? 1.0 : 10
    let units = (min(max(0, seconds), 1e12) * unit).rounded()
    let whole = Int64((units / unit).rounded(.down))
    let fraction = decimals == 0 ? "" : ".\(Int64(units) % 10)"
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let start = hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)"
    return "\(start):\(two(whole % 60))\(fraction)"
}

/// Logarithmic axis of a drawing, with whole decades.
struct DecadeScale {
    /// Exponent of the first decade.
    let first: Int
    /// Exponent at the end of the last decade.
    let last: Int
    private let scale: Scale

    /// Covers the values with whole decades. Only positive values count.
    init(_ values: [Double], from: Double, to: Double) {
        let values = values.filter { $0 > 0 && $0.isFinite }
        let (least, most) = (values.min() ?? 1, values.max() ?? 10)
        let first = Int(log10(least).rounded(.down))
        self.first = first
        last = max(first + 1, Int(log10(most).rounded(.up)))
        scale = Scale(Double(first), Double(last), from: from, to: to)
    }

    /// Coordinate of a value in the drawing, clamped to the axis.
    func place(_ value: Double) -> Double { scale.place(log10(value)) }

    /// Coordinate of a power of ten in the drawing.
    func place(power: Int) -> Double { scale.place(Double(power)) }

    /// Coordinates of 2 to 9 times each power of ten.
    var finePlaces: [Double] {
        (first..<last).flatMap { power in (2...9).map { scale.place(Double(power) + log10(Double($0))) } }
    }

    /// Label of a power of ten: `0.01`, `1`, `100`, or `1e-05` if that would be too long.
    static func text(power: Int) -> String {
        guard (-3...4).contains(power) else { return "1e\(power)" }
        let noughts = String(repeating: "0", count: max(0, power < 0 ? -power - 1 : power))
        return power < 0 ? "0." + noughts + "1" : "1" + noughts
    }
}
