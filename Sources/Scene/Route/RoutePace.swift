import Model

/// How long the rest of a route takes: by its service's expectation at first, then more and more by the wearer's own pace.
///
/// Standing does not count: whoever waits at a crossing is no slower walker, and what is left does not grow while he waits.
struct RoutePace: Sendable {
    /// Seconds a metre, before the wearer's own is known.
    private var expected: Double
    /// Walked lately, along the route. Unit: metres, seconds.
    private var metres = 0.0
    private var seconds = 0.0
    private var last: (along: Double, time: BootTime)?

    /// The pace is looked at so often, so that wavering positions are no walk. Unit: seconds.
    private static let interval = 10.0
    /// Longer without a position on the route tells nothing of the pace. Unit: seconds.
    private static let longestInterval = 60.0
    /// Slower is standing, faster a leap of the positions or a ride. Unit: m/s.
    private static let speeds = 0.4...12.0
    /// The wearer's own pace weighs as much as the expected one after this, and what is farther back hardly. Unit: metres.
    private static let trust = 200.0
    private static let memory = 500.0

    /// - Parameters:
    ///   - duration: of the whole route, seconds; nil is not known.
    ///   - speed: for a route without. Unit: m/s.
    init(length: Double, duration: Double?, speed: Double) {
        expected = Self.expected(length: length, duration: duration, speed: speed)
    }

    /// Expects something else of the same route; what the wearer has shown stays.
    mutating func expect(length: Double, duration: Double?, speed: Double) {
        expected = Self.expected(length: length, duration: duration, speed: speed)
    }

    private static func expected(length: Double, duration: Double?, speed: Double) -> Double {
        duration.flatMap { $0 > 0 && length > 0 ? $0 / length : nil } ?? 1 / speed
    }

    mutating func walk(to along: Double, at time: BootTime) {
        guard let last else { return self.last = (along, time) }
        let elapsed = time.seconds(since: last.time)
        guard elapsed < 0 || elapsed >= Self.interval else { return }
        self.last = (along, time)
        let way = along - last.along
        guard elapsed > 0, elapsed <= Self.longestInterval, Self.speeds.contains(way / elapsed) else { return }
        let kept = max(0, 1 - way / Self.memory)
        metres = metres * kept + way
        seconds = seconds * kept + elapsed
    }

    /// What was between two places on the route was not walked.
    mutating func interrupt() { last = nil }

    /// For a way along the route. Unit: metres, seconds.
    func seconds(for way: Double) -> Double {
        guard metres > 0 else { return way * expected }
        let share = metres / (metres + Self.trust)
        return way * (share * seconds / metres + (1 - share) * expected)
    }
}
