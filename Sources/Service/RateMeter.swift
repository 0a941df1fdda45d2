/// Rate of events in the last two seconds or so.
struct RateMeter {
    private var marks: [(count: UInt64, time: Int64)] = []
    private(set) var perSecond = 0.0

    /// Length of the window. Nanoseconds.
    private static let window: Int64 = 2_000_000_000

    /// - Parameters:
    ///   - count: number of events since the start.
    ///   - time: nanoseconds of any monotone clock.
    mutating func observe(_ count: UInt64, at time: Int64) {
        marks.append((count, time))
        while marks.count > 2, time - marks[1].time >= Self.window { marks.removeFirst() }
        guard let first = marks.first, time > first.time else { return }
        perSecond = Double(count - first.count) / (Double(time - first.time) * 1e-9)
    }
}
