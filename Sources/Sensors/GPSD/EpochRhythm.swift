/// How often epochs come, and which are missing.
package struct EpochRhythm {
    private static let remembered = 8
    /// Rounding of times may make an interval a little longer than it is.
    private static let toleranceNanoseconds: Int64 = 50_000_000

    private var last: Int64?
    private var recent: [Int64] = []

    package init() { recent.reserveCapacity(Self.remembered) }

    /// The shortest of the latest intervals: gaps make intervals longer, never shorter.
    package var intervalNanoseconds: Int64? { recent.min() }

    /// Hz.
    package var rate: Double? { intervalNanoseconds.map { 1e9 / Double($0) } }

    /// Takes the time of the next epoch, in nanoseconds since 1970.
    ///
    /// - Returns: whether more than twice the usual interval has passed since the one before.
    package mutating func isGap(before time: Int64) -> Bool {
        defer { last = time }
        guard let last, time > last else { return false }
        let interval = time - last
        let isGap = intervalNanoseconds.map { interval - $0 > $0 + Self.toleranceNanoseconds } ?? false
        if recent.count == Self.remembered { recent.removeFirst() }
        recent.append(interval)
        return isGap
    }
}
