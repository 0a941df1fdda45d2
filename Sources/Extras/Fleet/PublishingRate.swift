import Geometry

/// Selects the positions for a topic. It selects them at no more than a maximum rate, and only after a movement or
/// after a long time without movement.
package struct PublishingRate: Sendable {
    /// Minimum interval. Unit: ns.
    private let interval: Int64
    /// Minimum movement. Unit: metres.
    private let minimumMovement: Double
    /// Interval of positions without movement. Unit: ns.
    private let stillInterval: Int64
    /// Last published position and its time, and the time at which the next position is due. Unit: ns.
    private var last: (time: Int64, due: Int64, position: GeodeticPosition)?

    /// A position may come early by the interval divided by this number, so that all positions are selected if the
    /// maximum rate equals their rate.
    private static let slack: Int64 = 4

    /// - Parameters:
    ///   - interval: minimum interval. Unit: seconds.
    ///   - minimumMovement: minimum distance to the last selected position; 0 if no movement is required. Unit: metres.
    ///   - stillInterval: time after which a position is selected without movement. Unit: seconds.
    package init(interval: Double, minimumMovement: Double, stillInterval: Double) {
        self.interval = Int64(interval * 1e9)
        self.minimumMovement = minimumMovement
        self.stillInterval = Int64(max(stillInterval, interval) * 1e9)
    }

    /// Whether a position is to be published.
    ///
    /// - Parameter time: CLOCK_BOOTTIME, not decreasing. Unit: nanoseconds.
    package mutating func takes(_ position: GeodeticPosition, at time: Int64) -> Bool {
        guard let last else { return take(position, at: time, due: time) }
        guard time >= last.due &- interval / Self.slack else { return false }
        if minimumMovement > 0, time &- last.time < stillInterval - interval / Self.slack,
            Geodesic(from: last.position, to: position).distance < minimumMovement
        {
            return false
        }
        return take(position, at: time, due: last.due)
    }

    private mutating func take(_ position: GeodeticPosition, at time: Int64, due: Int64) -> Bool {
        // The schedule continues, so that the mean rate is kept; after a pause it restarts.
        last = (time, time &- due < interval ? due &+ interval : time &+ interval, position)
        return true
    }
}
