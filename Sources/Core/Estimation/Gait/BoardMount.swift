import Geometry

import Glibc

/// Body axis that represents the horizontal direction of the board: up × this axis is the board's forward direction.
/// The posture of the board while its wearer walks determines the axis.
///
/// By design the axis is the body's x axis, so that forward is the line of sight of glasses, or the direction in which
/// the top of a flat telephone points. If the x axis is steep, as on an upright board turned on its side, the
/// horizontal y axis is used, and forward is again the line of sight.
package struct BoardReference: Sendable, Codable {
    /// Reference axis. Frame: body.
    package private(set) var axis = Vector3(1, 0, 0)
    /// Azimuth added to keep the forward direction continuous when the reference axis changes. Unit: radians.
    package private(set) var offset = 0.0
    /// Mean of the vertical unit vector over the last steps; its length is below 1 if the vertical has varied. Frame:
    /// body.
    package private(set) var up: Vector3?
    /// Value of `up` when the board was last put into its current posture. Frame: body.
    private var home: Vector3?

    package init() {}

    /// Weight of a step in the mean.
    private static let share = 0.25
    /// Cosine of the angle by which the vertical must change to count as another posture: 50°.
    private static let sameCarriage = 0.64
    /// Sine of the axis's elevation beyond which another axis replaces it: 49°.
    private static let maximumElevationSine = 0.75

    /// Adds the axes averaged over a step.
    ///
    /// - Returns: whether the board now hangs differently, so that its forward direction is no longer known.
    package mutating func add(_ axes: BoardAxes) -> Bool {
        guard let new = axes.up.normalized else { return false }
        guard let before = up, let home else {
            up = new
            return settle(new)
        }
        // While a board is being turned over, the mean vertical is short and may point in any direction.
        let sum = before + (new - before) * Self.share
        guard let mean = sum.normalized else { return false }
        up = sum
        if mean.dot(home) < Self.sameCarriage { return settle(mean) }
        if mean.dot(axis).magnitude > Self.maximumElevationSine {
            let next = Self.axis(for: mean)
            offset = Angle.wrapped(offset + Self.azimuth(axes, axis) - Self.azimuth(axes, next))
            axis = next
        }
        return false
    }

    private mutating func settle(_ mean: Vector3) -> Bool {
        home = mean
        up = mean
        offset = 0
        axis = Self.axis(for: mean)
        return true
    }

    private static func azimuth(_ axes: BoardAxes, _ axis: Vector3) -> Double {
        let across = axes.direction(of: axis)
        return atan2(-across.y, across.x)
    }

    private static func axis(for up: Vector3) -> Vector3 {
        up.x.magnitude <= maximumElevationSine ? Vector3(1, 0, 0) : Vector3(0, up.x > 0 ? -1 : 1, 0)
    }

    /// Whether the posture is that of a board on a head, on a chest or in a hand that holds it ahead: the x axis is
    /// horizontal, and the y axis, the z axis or a direction between them points upwards.
    package var isAsDesigned: Bool {
        guard let up = up?.normalized else { return true }
        return up.x.magnitude < Self.levelSine && up.y > Self.minimumY && up.z > Self.minimumZ
    }

    /// Sine of the largest elevation of the x axis: 37°. A hand tilts a telephone sideways by up to 30°.
    private static let levelSine = 0.6
    /// Least vertical component of the y axis: 20° beyond horizontal.
    private static let minimumY = -0.35
    /// Least vertical component of the z axis: looking down by 37°.
    private static let minimumZ = -0.6
}

/// Axes of the body in ENU, integrated over time, or the mean of each axis. The length of a mean axis decreases from 1
/// as the board swings.
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

/// Orientation of the board relative to the walking direction. The board is assumed to face ahead unless posture, swing
/// or satellites contradict this assumption.
package struct BoardMount: Sendable, Codable {
    /// Origin of the azimuth.
    package enum Source: UInt8, CaseIterable, Sendable, Codable {
        /// The board is worn as designed and therefore faces ahead.
        case design
        /// The azimuth is unknown, because the board hangs differently or has been moved.
        case nothing
        /// The azimuth comes from the axis along which the trunk swings; this source is unreliable.
        case line
        /// The azimuth comes from the swing of a leg.
        case swing
        /// The azimuth comes from the velocities or positions of fixes.
        case satellites
    }

    /// Azimuth of the walking direction relative to the board's forward direction, clockwise. Unit: radians.
    package private(set) var azimuth = 0.0
    package private(set) var source = Source.design
    /// Fading sum of the cosines of the observed directions, taken relative to the mount.
    private var cosine = 0.0
    /// Fading sum of the sines of the observed directions, taken relative to the mount.
    private var sine = 0.0
    /// Fading number of observations.
    private var weight = 0.0

    package init(azimuth: Double = 0, source: Source = .design) {
        self.azimuth = azimuth
        self.source = source
    }

    /// Whether the azimuth is known with the standard deviation `steps.directionStandardDeviation`.
    package var isKnown: Bool { source != .nothing && source != .line }

    /// Share of the sums kept at each step.
    private static let fading = 0.93
    /// Least number of steps in the sums.
    private static let minimumWeight = 7.0
    /// Least mean resultant length of the observed directions, from 0 (scattered) to 1 (equal).
    private static let minimumLikeness = 0.8
    /// Smallest difference that changes the mount. Unit: radians.
    package static let minimumAzimuthChange = 0.8

    /// Adds a step whose direction was observed.
    ///
    /// - Parameter difference: azimuth of the observed direction relative to the mount, clockwise. Unit: radians.
    /// - Returns: whether the mount was reset.
    package mutating func add(azimuth difference: Double) -> Bool {
        cosine = cosine * Self.fading + cos(difference)
        sine = sine * Self.fading + sin(difference)
        weight = weight * Self.fading + 1
        let mean = atan2(sine, cosine)
        let likeness = (cosine * cosine + sine * sine).squareRoot() / weight
        let isNews = mean.magnitude >= Self.minimumAzimuthChange || !isKnown
        guard weight >= Self.minimumWeight, likeness >= Self.minimumLikeness, isNews else { return false }
        azimuth = Angle.wrapped(azimuth + mean)
        source = .satellites
        (cosine, sine, weight) = (0, 0, 0)
        return true
    }
}

/// Estimates the walking direction relative to the board from the gait alone, step by step.
package struct GaitDirection: Sendable, Codable {
    private var cosine = 0.0
    private var sine = 0.0
    private var weight = 0.0

    /// Share of the sums kept at each step.
    private static let fading = 0.93
    /// Least number of steps.
    private static let minimumWeight = 6.0
    /// Least mean resultant length of the step directions.
    private static let minimumLikeness = 0.75
    /// Least number of steps for a direction that overrules the posture.
    private static let minimumWeightAgainst = 10.0
    /// Least mean resultant length of a direction that overrules the posture.
    private static let minimumLikenessAgainst = 0.85

    /// Adds a step.
    ///
    /// - Parameter azimuth: walking azimuth according to the gait, relative to the azimuth of the board, clockwise.
    ///   Unit: radians.
    mutating func add(azimuth: Double) {
        cosine = cosine * Self.fading + cos(azimuth)
        sine = sine * Self.fading + sin(azimuth)
        weight = weight * Self.fading + 1
    }

    /// Mean azimuth; nil if there are too few steps or their directions scatter too much. Unit: radians.
    ///
    /// - Parameter isAgainst: whether the mean would overrule the posture.
    func azimuth(isAgainst: Bool) -> Double? {
        let length = (cosine * cosine + sine * sine).squareRoot()
        let minimum = isAgainst ? Self.minimumWeightAgainst : Self.minimumWeight
        let likeness = isAgainst ? Self.minimumLikenessAgainst : Self.minimumLikeness
        guard weight >= minimum, length >= likeness * weight else { return nil }
        return atan2(sine, cosine)
    }
}

/// Angle between the walking direction and the axis along which the trunk swings. The angle is constant while the gait
/// stays the same. It is learned while satellites determine the walking direction.
package struct LineBias: Sendable, Codable {
    private var sum = 0.0
    private var weight = 0.0

    /// Standard deviation before any observation. Unit: radians. Origin: telephones held ahead on recorded walks.
    private static let startStandardDeviation = 0.3
    /// Variance of a single comparison. Unit: rad².
    private static let variance = 0.02
    /// Number of successive steps that count as one comparison, because their errors are equal.
    private static let steps = 5.0
    /// Share of the sums kept at each step, so that the angle follows a changing gait.
    private static let fading = 0.99

    /// Adds a comparison.
    ///
    /// - Parameter angle: azimuth of the axis relative to the walking direction, clockwise. Unit: radians.
    package mutating func add(_ angle: Double) {
        sum = sum * Self.fading + angle
        weight = weight * Self.fading + 1
    }

    private var information: Double {
        1 / (Self.startStandardDeviation * Self.startStandardDeviation) + weight / (Self.variance * Self.steps)
    }

    /// Azimuth of the axis relative to the walking direction, clockwise. Unit: radians.
    package var angle: Double { sum / (Self.variance * Self.steps) / information }

    /// Standard deviation of the angle. Unit: radians.
    package var standardDeviation: Double { (1 / information).squareRoot() }
}
