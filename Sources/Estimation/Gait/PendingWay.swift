import Geometry

/// Displacement by detected steps that the published position has not yet followed. A step is detected only at its end;
/// moving evenly avoids a jump at each step.
package struct PendingWay: Sendable {
    /// Remaining displacement. Frame: ENU, horizontal. Unit: metres.
    private var way = Vector3.zero
    /// Mean speed of the last step. Unit: m/s.
    package private(set) var speed = 0.0
    /// Length of the last step. Unit: metres.
    private var length = 0.0

    package init() {}

    package var isEmpty: Bool { way == .zero }

    /// Adds the displacement of a step, and of earlier steps that count with it.
    mutating func add(_ more: Vector3, speed: Double, length: Double) {
        way += more
        self.speed = speed
        self.length = length
    }

    /// Adds a displacement that corrects earlier steps.
    mutating func add(_ more: Vector3) { if length > 0 { way += more } }

    /// Takes the displacement of the next interval, at a speed that grows with what remains.
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

    /// Displacement below which nothing remains. Unit: metres.
    private static let leastWay = 1e-6
}
