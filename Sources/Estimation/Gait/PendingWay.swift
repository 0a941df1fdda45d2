import Geometry

/// Way that steps have made and the position has not yet gone: a step is recognised at its end, and the wearer is to see
/// an even motion.
package struct PendingWay: Sendable {
    /// Frame: ENU, horizontal. Unit: metres.
    private var way = Vector3.zero
    /// Of the last step. Units: m/s, metres.
    package private(set) var speed = 0.0
    private var length = 0.0

    package init() {}

    package var isEmpty: Bool { way == .zero }

    /// Adds the way of a step, and of those before it that count with it.
    mutating func add(_ more: Vector3, speed: Double, length: Double) {
        way += more
        self.speed = speed
        self.length = length
    }

    /// Takes out what is to be gone over a time: faster the more there is.
    ///
    /// - Returns: the velocity. Frame: ENU. Unit: m/s.
    mutating func take(over duration: Double, _ settings: EstimatorSettings.Steps) -> Vector3 {
        let size = way.norm
        guard size > Self.leastWay else {
            way = .zero
            return .zero
        }
        let ratio = size / (settings.pendingShare * length)
        let pace = speed * min(settings.fastestPending, max(settings.slowestPending, ratio))
        let share = min(1, pace * duration / size)
        let taken = way * share
        way = share < 1 ? way - taken : .zero
        return taken / duration
    }

    mutating func turn(by turn: Rotation3) { way = turn * way }

    /// Unit: metres.
    private static let leastWay = 1e-6
}
