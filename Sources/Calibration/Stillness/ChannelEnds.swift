import Geometry

/// Minimum and maximum of each of three axes with their counts: an extreme that recurs is the end of the range.
struct ChannelEnds: Hashable, Sendable {
    private struct End: Hashable, Sendable {
        var value = -Double.infinity
        var count = 0

        mutating func add(_ next: Double) {
            if next > value { (value, count) = (next, 0) }
            if next == value { count += 1 }
        }
    }

    /// Maxima of x, y, z, −x, −y, −z.
    private var ends = [End](repeating: End(), count: 6)

    /// Fewest occurrences of an extreme that is an end of the range; a peak may well occur twice.
    private static let least = 3

    mutating func add(_ value: Vector3) {
        for (index, part) in Self.parts(value).enumerated() { ends[index].add(part) }
    }

    /// Whether a mean of samples lies within a fiftieth of the range of one of its ends; averaging blurs the end
    /// itself.
    func isClipped(_ value: Vector3) -> Bool {
        for (index, part) in Self.parts(value).enumerated() {
            let (end, other) = (ends[index], ends[(index + 3) % 6])
            if end.count >= Self.least, part > end.value - 0.02 * (end.value + other.value) { return true }
        }
        return false
    }

    private static func parts(_ v: Vector3) -> [Double] { [v.x, v.y, v.z, -v.x, -v.y, -v.z] }
}
