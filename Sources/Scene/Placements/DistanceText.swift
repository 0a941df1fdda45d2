/// A distance as it is shown, in digits that stand still while the distance wavers.
///
/// Two digits, but whole metres at the least, and whole kilometres from 10 km on: `7 m`, `42 m`, `120 m`, `1.2 km`, `12 km`. A
/// number stays until the distance is farther from it than half of its last digit and a margin, so that a change takes a
/// move of at least the margin. One for each text that is shown: the straight way and that along the route are two.
public struct DistanceText: Hashable, Sendable {
    /// Share of the last digit's worth by which a rounding border is overstepped.
    private static let marginShare = 0.2
    /// And the least of it, in which positions waver anyway. Unit: metres.
    private static let leastMargin = 0.5
    /// Nothing on earth is farther. Unit: metres.
    private static let farthest = 21_000_000.0

    /// Unit: metres.
    private var shown: Int?

    public init() {}

    /// The unit is part of it; the point is a point in every language.
    public mutating func text(for metres: Double) -> String {
        let distance = min(max(0, metres), Self.farthest)
        let number = shown.flatMap { Self.stays($0, at: distance) ? $0 : nil } ?? Self.rounded(distance)
        shown = number
        return Self.words(number)
    }

    private static func stays(_ number: Int, at distance: Double) -> Bool {
        let step = step(at: Double(number))
        return (distance - Double(number)).magnitude < step / 2 + max(leastMargin, marginShare * step)
    }

    private static func rounded(_ distance: Double) -> Int {
        let step = step(at: distance)
        return Int((distance / step).rounded() * step)
    }

    /// What the last digit is worth; borders are where rounding reaches the next digit. Unit: metres.
    private static func step(at distance: Double) -> Double {
        switch distance {
        case ..<99.5: 1
        case ..<995: 10
        case ..<9950: 100
        default: 1000
        }
    }

    private static func words(_ metres: Int) -> String {
        switch metres {
        case ..<1000: "\(metres) m"
        case ..<10_000: "\(metres / 1000).\(metres % 1000 / 100) km"
        default: "\(metres / 1000) km"
        }
    }
}
