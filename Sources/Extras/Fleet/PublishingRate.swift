import Geometry

/// Which positions a topic takes: at most at a rate, and after a movement, or after a long time without one.
package struct PublishingRate: Sendable {
    /// Unit: ns.
    private let interval: Int64
    /// Unit: metres.
    private let leastMovement: Double
    /// Interval of positions without movement. Unit: ns.
    private let stillInterval: Int64
    /// The position that was published last, and when the next one is due. Unit: ns.
    private var last: (time: Int64, due: Int64, position: GeodeticPosition)?

    /// Positions that come a little early count as due, so that a rate equal to that of the positions takes each. Unit:
    /// share of the interval.
    private static let slack: Int64 = 4

    /// - Parameters:
    ///   - interval: least time between two. Unit: seconds.
    ///   - leastMovement: distance to the last one that is needed; 0 for none. Unit: metres.
    ///   - stillInterval: time after which one is taken without movement. Unit: seconds.
    package init(interval: Double, leastMovement: Double, stillInterval: Double) {
        self.interval = Int64(interval * 1e9)
        self.leastMovement = leastMovement
        self.stillInterval = Int64(max(stillInterval, interval) * 1e9)
    }

    /// Whether a position is to be published.
    ///
    /// - Parameter time: CLOCK_BOOTTIME, not decreasing. Unit: nanoseconds.
    package mutating func takes(_ position: GeodeticPosition, at time: Int64) -> Bool {
        guard let last else { return take(position, at: time, due: time) }
        guard time >= last.due &- interval / Self.slack else { return false }
        if leastMovement > 0, time &- last.time < stillInterval - interval / Self.slack,
            Geodesic(from: last.position, to: position).distance < leastMovement
        {
            return false
        }
        return take(position, at: time, due: last.due)
    }

    private mutating func take(_ position: GeodeticPosition, at time: Int64, due: Int64) -> Bool {
        // The schedule goes on from where it was, so that the mean rate is kept; after a pause it restarts.
        last = (time, time &- due < interval ? due &+ interval : time &+ interval, position)
        return true
    }
}
