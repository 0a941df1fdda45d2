import Model

/// Estimate of the time for the rest of a route. It first uses the service's duration, then increasingly the wearer's
/// own pace.
///
/// Standing is ignored, so that waiting at a crossing neither slows the pace nor increases the remaining time.
struct RoutePace: Sendable {
    /// Pace that is assumed until the wearer's own pace is known. Unit: seconds per metre.
    private var expected: Double
    /// Distance that was recently walked along the route, and the time it took. Units: metres, seconds.
    private var metres = 0.0
    private var seconds = 0.0
    private var last: (along: Double, time: BootTime)?

    /// Least time between two samples of the pace, so that position noise does not count as walking. Unit: seconds.
    private static let interval = 10.0
    /// Longest interval between two positions on the route that gives a sample of the pace. Unit: seconds.
    private static let maximumInterval = 60.0
    /// Plausible speeds. A lower speed means standing, and a higher one a position jump or a ride. Unit: m/s.
    private static let speeds = 0.4...12.0
    /// Distance after which the wearer's own pace has the same weight as the assumed one, and distance over which older
    /// samples fade. Unit: metres.
    private static let trust = 200.0
    private static let memory = 500.0

    /// - Parameters:
    ///   - duration: duration of the whole route in seconds; nil if unknown.
    ///   - speed: speed for a route without a duration. Unit: m/s.
    init(length: Double, duration: Double?, speed: Double) {
        expected = Self.expected(length: length, duration: duration, speed: speed)
    }

    /// Changes the assumed pace of the same route, but keeps the wearer's own pace.
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
        let distance = along - last.along
        guard elapsed > 0, elapsed <= Self.maximumInterval, Self.speeds.contains(distance / elapsed) else { return }
        let kept = max(0, 1 - distance / Self.memory)
        metres = metres * kept + distance
        seconds = seconds * kept + elapsed
    }

    /// Ends the current interval, because the distance to the next position on the route was not walked.
    mutating func interrupt() { last = nil }

    /// Returns the time for a distance along the route. Units: metres, seconds.
    func seconds(for distance: Double) -> Double {
        guard metres > 0 else { return distance * expected }
        let share = metres / (metres + Self.trust)
        return distance * (share * seconds / metres + (1 - share) * expected)
    }
}
