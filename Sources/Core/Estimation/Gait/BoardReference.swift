import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Body axis whose horizontal direction represents the direction of the board, chosen by the posture of the board while
/// its wearer walks: up × this axis is the board's forward direction.
///
/// By design the reference is the body's x axis, so that forward is the line of sight of glasses, or the top of a
/// telephone held flat. If the x axis is steep, the reference is the y axis of an upright board, and forward is the
/// line of sight.
package struct BoardReference: Sendable, Codable {
    /// Reference axis. Frame: body.
    package private(set) var axis = Vector3(1, 0, 0)
    /// Azimuth added to keep the forward direction continuous when the reference axis changes. Unit: radians.
    package private(set) var offset = 0.0
    /// Mean vertical over the last steps; its length is below 1 if the vertical has varied. Frame: body.
    package private(set) var up: Vector3?
    /// Mean vertical when the board was last put into its present posture. Frame: body.
    private var home: Vector3?

    package init() {}

    /// Change of posture.
    package enum Change: Sendable {
        /// No change.
        case none
        /// The board hangs differently: its forward direction is no longer known.
        case posture
    }

    /// Weight of a step in the mean.
    private static let share = 0.25
    /// Cosine of the change of the vertical that counts as another posture: 50°.
    private static let sameCarriage = 0.64
    /// Sine of the axis's elevation beyond which another axis replaces it: 49°.
    private static let maximumElevationSine = 0.75

    /// Adds the mean axes over a step.
    package mutating func add(_ axes: BoardAxes) -> Change {
        guard let new = axes.up.normalized else { return .none }
        guard let before = up, let home else {
            up = new
            return settle(new)
        }
        // While a board is being turned over, the mean of the vertical is short and may have any direction.
        let sum = before + (new - before) * Self.share
        guard let mean = sum.normalized else { return .none }
        up = sum
        if mean.dot(home) < Self.sameCarriage { return settle(mean) }
        if mean.dot(axis).magnitude > Self.maximumElevationSine {
            let next = Self.axis(for: mean)
            offset = Angle.wrapped(offset + Self.azimuth(axes, axis) - Self.azimuth(axes, next))
            axis = next
        }
        return .none
    }

    private mutating func settle(_ mean: Vector3) -> Change {
        home = mean
        up = mean
        offset = 0
        axis = Self.axis(for: mean)
        return .posture
    }

    private static func azimuth(_ axes: BoardAxes, _ axis: Vector3) -> Double {
        let across = axes.direction(of: axis)
        return atan2(-across.y, across.x)
    }

    private static func axis(for up: Vector3) -> Vector3 {
        up.x.magnitude <= maximumElevationSine ? Vector3(1, 0, 0) : Vector3(0, up.x > 0 ? -1 : 1, 0)
    }

    /// Whether the posture is as on a head, on a chest or in a hand that holds the board ahead: x axis horizontal, and
    /// y axis, z axis or a direction between them upwards.
    package var isAsDesigned: Bool {
        guard let up = up?.normalized else { return true }
        return up.x.magnitude < Self.levelSine && up.y > Self.minimumY && up.z > Self.minimumZ
    }

    /// Sine of the largest elevation of the x axis: 37°; a telephone in a hand is tilted sideways by up to 30°.
    private static let levelSine = 0.6
    /// Least vertical component of the y axis: 20° beyond horizontal.
    private static let minimumY = -0.35
    /// Least vertical component of the z axis: looking down by 37°.
    private static let minimumZ = -0.6
}

/// Axes of the body in ENU, integrated over time, or their mean, whose length decreases from 1 as the board swings.
package struct BoardAxes: Sendable, Codable {
    /// x axis of the body. Frame: ENU.
    package var x = Vector3.zero
    package var y = Vector3.zero
    package var z = Vector3.zero

    package init() {}

    /// Adds the axes over an interval.
    @inline(__always)
    mutating func add(_ rotationENUFromBody: Matrix<3, 3>, over interval: Double) {
        let r = rotationENUFromBody
        x += Vector3(r[0, 0], r[1, 0], r[2, 0]) * interval
        y += Vector3(r[0, 1], r[1, 1], r[2, 1]) * interval
        z += Vector3(r[0, 2], r[1, 2], r[2, 2]) * interval
    }

    /// Rotates the axes when the ENU frame is rotated about up.
    mutating func turn(by turn: Rotation2) {
        x = turn * x
        y = turn * y
        z = turn * z
    }

    static func += (a: inout BoardAxes, b: BoardAxes) {
        a.x += b.x
        a.y += b.y
        a.z += b.z
    }

    static func -= (a: inout BoardAxes, b: BoardAxes) {
        a.x -= b.x
        a.y -= b.y
        a.z -= b.z
    }

    static func / (axes: BoardAxes, divisor: Double) -> BoardAxes {
        var result = axes
        result.x = axes.x / divisor
        result.y = axes.y / divisor
        result.z = axes.z / divisor
        return result
    }

    /// Direction in ENU of a vector in the body frame.
    package func direction(of vector: Vector3) -> Vector3 { x * vector.x + y * vector.y + z * vector.z }

    /// Vertical. Frame: body.
    package var up: Vector3 { Vector3(x.z, y.z, z.z) }
}
