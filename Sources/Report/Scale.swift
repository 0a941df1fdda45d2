/// Values along one side of a drawing, and the round numbers that are written there.
struct Scale {
    let lower: Double
    let upper: Double
    /// Where the two lie in the drawing. Unit: its own.
    private let from: Double
    private let to: Double

    /// - Parameter range: of the values; one without extent is widened.
    init(_ lower: Double, _ upper: Double, from: Double, to: Double) {
        let isWide = upper - lower > 1e-9
        self.lower = isWide ? lower : lower - 0.5
        self.upper = isWide ? upper : lower + 0.5
        self.from = from
        self.to = to
    }

    /// In the drawing; what is beyond a border is drawn on it.
    func place(_ value: Double) -> Double {
        let share = (min(max(value, lower), upper) - lower) / (upper - lower)
        return from + share * (to - from)
    }

    /// Multiples of 1, 2 or 5 and a power of ten within the range, about so many.
    func ticks(about count: Int) -> [Double] {
        multiples(of: Self.step((upper - lower) / Double(count)))
    }

    /// Full seconds, minutes or hours within the range, about so many.
    func timeTicks(about count: Int) -> [Double] {
        let wanted = (upper - lower) / Double(count)
        let step = Self.timeSteps.first { $0 >= wanted } ?? (wanted / 86_400).rounded(.up) * 86_400
        return multiples(of: step)
    }

    /// The least of 1, 2, 5, 10 … and their parts of ten that is no less.
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
        let count = Int(((upper - first * step) / step).rounded(.down))
        return count < 0 ? [] : (0...min(count, 100)).map { (first + Double($0)) * step }
    }
}

/// How long after the start, as people read it: `1:02:03` or `2:03.4`.
func elapsedText(_ seconds: Double, decimals: Int = 0) -> String {
    // Whole units first, so that 59.96 s is not written as 0:60.0.
    let unit = decimals == 0 ? 1.0 : 10
    let units = (max(0, seconds) * unit).rounded()
    let whole = Int64((units / unit).rounded(.down))
    let fraction = decimals == 0 ? "" : ".\(Int64(units) % 10)"
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let start = hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)"
    return "\(start):\(two(whole % 60))\(fraction)"
}
