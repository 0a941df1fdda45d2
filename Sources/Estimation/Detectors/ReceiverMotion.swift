import Geometry
import Measurements

/// Detection of motion by a receiver: by its velocities or, where it measures none, by its positions.
package struct ReceiverMotion: Sendable {
    /// Horizontal norm of the last velocity. Unit: m/s.
    private var speed = 0.0
    /// Standard deviation of the last velocity. Unit: m/s.
    private var speedDeviation = 0.0
    private var lastVelocity: BootTime?
    /// Mean velocity by the positions alone, which fades over `paceSeconds`. Frame: ENU. Unit: m/s.
    private var pace = Vector3.zero
    private var paceDeviation = 0.0
    private var lastPoint: (position: Vector3, time: BootTime)?

    package init() {}

    /// Age from which a fix shows nothing: a body stops and starts within it. Unit: seconds.
    private static let freshSeconds = 3.0
    /// Time constant of the mean velocity by positions. Unit: seconds.
    private static let paceSeconds = 4.0
    /// Number of standard deviations of the pace that are noise.
    private static let paceGate = 4.0
    /// Number of standard deviations of the velocity that are noise.
    private static let speedGate = 2.0

    /// Moves to a new origin of ENU, at `-offset` in the old one.
    mutating func shift(by offset: Vector3) { lastPoint?.position += offset }

    mutating func note(_ fix: LocalFix, settings: EstimatorSettings.GNSS) {
        if let velocity = fix.velocity {
            speed = Self.length(velocity)
            speedDeviation = fix.velocityDeviation
            lastVelocity = fix.time
        }
        defer { lastPoint = (fix.position, fix.time) }
        guard let lastPoint else { return }
        let interval = fix.time.seconds(since: lastPoint.time)
        guard interval > 0, interval < Self.freshSeconds else { return pace = .zero }
        // The white errors of all positions but the first and the last cancel in the sum.
        let share = interval / (Self.paceSeconds + interval)
        pace += ((fix.position - lastPoint.position) / interval - pace) * share
        let deviation = max(fix.positionDeviation.x, fix.positionDeviation.y)
        paceDeviation = deviation * settings.whiteShare / Self.paceSeconds
    }

    /// Whether the body moves; nil while no fix is recent, or the noise is too large.
    ///
    /// - Parameter limit: speed up to which the body is at rest. Unit: m/s.
    package func isMoving(at time: BootTime, beyond limit: Double) -> Bool? {
        if let lastVelocity, time.seconds(since: lastVelocity) < Self.freshSeconds {
            return speed > max(limit, Self.speedGate * speedDeviation)
        }
        guard let lastPoint, time.seconds(since: lastPoint.time) < Self.freshSeconds else { return nil }
        return Self.length(pace) > max(limit, Self.paceGate * paceDeviation) ? true : nil
    }

    private static func length(_ vector: Vector3) -> Double {
        (vector.x * vector.x + vector.y * vector.y).squareRoot()
    }
}
