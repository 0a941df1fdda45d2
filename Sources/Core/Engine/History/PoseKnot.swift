import Geometry
import Model

/// Part of a pose that changes with every sample, and is interpolated.
struct PoseMoment: Sendable {
    var time: BootTime
    /// Position of the body. Frame: scene. Unit: metres.
    var position: Vector3
    var rotationSceneFromBody: Rotation3
    /// Velocity of the body. Frame: scene. Unit: m/s.
    var velocity: Vector3
    /// Mean angular rate since the previous sample. Frame: body. Unit: rad/s.
    var rate: Vector3
}

/// Base of the knots of a run: its first pose extrapolated at constant velocity, so that 16 bits hold the difference.
struct PoseBase: Sendable {
    let time: BootTime
    /// Position of the body. Frame: scene. Unit: metres.
    let position: Vector3
    /// Velocity of the body. Frame: scene. Unit: m/s.
    let velocity: Vector3

    @inline(__always)
    func position(after seconds: Double) -> Vector3 { position + velocity * seconds }
}

/// Pose in 28 bytes, relative to the base of its run.
///
/// Largest rounding errors per axis: position 0.05 mm, orientation 0.004°, velocity 0.5 mm/s, angular velocity 0.3
/// mrad/s at 1 rad/s and less below.
struct PoseKnot: Sendable {
    /// Nanoseconds since the base in the lower 30 bits, and in the upper two the index of the quaternion's largest
    /// component, which is omitted.
    private let packedTime: UInt32
    private let position: SmallVector
    private let rotation: SmallVector
    private let velocity: SmallVector
    private let rate: SmallVector

    /// The longest time since the base. Unit: nanoseconds.
    static let maximumNanoseconds: Int64 = 1 << 30 - 1
    /// Resolution of the stored components. Units: metres, m/s.
    private static let positionStep = 1e-4
    private static let velocityStep = 1e-3
    /// Upper limit of a stored rate, above every rate that the estimator accepts from a gyroscope. Unit: rad/s.
    private static let maximumRate = 82.0
    /// Resolution of a stored component of the quaternion: only the largest exceeds √½.
    private static let rotationStep = 0.7072 / 32767

    /// Makes a knot; nil if the difference from the base in time, position or velocity does not fit.
    ///
    /// - Parameter nanoseconds: time from the base to the pose.
    @inline(__always)
    init?(_ pose: PoseEstimate, after nanoseconds: Int64, from base: PoseBase) {
        guard (0..<Self.maximumNanoseconds).contains(nanoseconds) else { return nil }
        let displacement = pose.positionInScene - base.position(after: Double(nanoseconds) * 1e-9)
        guard let position = SmallVector(displacement * (1 / Self.positionStep)),
            let velocity = SmallVector((pose.velocityInScene - base.velocity) * (1 / Self.velocityStep))
        else { return nil }
        self.position = position
        self.velocity = velocity
        rate = SmallVector(roots: pose.angularVelocityInBody, limit: Self.maximumRate)
        let largest = pose.rotationSceneFromBody.largestComponent
        rotation =
            SmallVector(pose.rotationSceneFromBody.others(than: largest) * (1 / Self.rotationStep)) ?? SmallVector()
        packedTime = UInt32(truncatingIfNeeded: nanoseconds) | UInt32(truncatingIfNeeded: largest) << 30
    }

    /// Time since the base. Unit: nanoseconds.
    var nanoseconds: Int64 { Int64(packedTime & (1 << 30 - 1)) }

    func moment(from base: PoseBase) -> PoseMoment {
        let others = rotation.vector * Self.rotationStep
        return PoseMoment(
            time: base.time.shifted(by: nanoseconds),
            position: base.position(after: Double(nanoseconds) * 1e-9) + position.vector * Self.positionStep,
            rotationSceneFromBody: Rotation3(largest: Int(packedTime >> 30), others: others),
            velocity: base.velocity + velocity.vector * Self.velocityStep,
            rate: rate.squares(limit: Self.maximumRate))
    }
}

/// Vector of three 16-bit integers.
private struct SmallVector: Sendable {
    var x: Int16 = 0
    var y: Int16 = 0
    var z: Int16 = 0

    init() {}

    /// Rounds to the nearest integer; nil beyond 16 bits, and for NaN.
    @inline(__always)
    init?(_ vector: Vector3) {
        guard vector.x.magnitude <= 32767, vector.y.magnitude <= 32767, vector.z.magnitude <= 32767 else { return nil }
        x = Self.nearest(vector.x)
        y = Self.nearest(vector.y)
        z = Self.nearest(vector.z)
    }

    /// Stores signed square roots, so that small numbers are more precise than large ones, limited to `limit`.
    @inline(__always)
    init(roots vector: Vector3, limit: Double) {
        x = Self.root(vector.x, limit)
        y = Self.root(vector.y, limit)
        z = Self.root(vector.z, limit)
    }

    var vector: Vector3 { Vector3(Double(x), Double(y), Double(z)) }

    /// The inverse of `init(roots:limit:)`.
    func squares(limit: Double) -> Vector3 {
        let scale = limit / (32767 * 32767)
        return Vector3(
            scale * Double(x) * Double(x.magnitude), scale * Double(y) * Double(y.magnitude),
            scale * Double(z) * Double(z.magnitude))
    }

    /// Rounds a number of magnitude up to 32767 by the last bits of its sum with 1.5·2⁵², where consecutive numbers
    /// differ by 1. The checks of a conversion would cost more than the rest of the function.
    @inline(__always)
    private static func nearest(_ number: Double) -> Int16 {
        Int16(truncatingIfNeeded: (number + 0x1.8p52).bitPattern)
    }

    @inline(__always)
    private static func root(_ number: Double, _ limit: Double) -> Int16 {
        // `min` returns the limit for NaN as well.
        let root = (min(limit, number.magnitude) * (32767 * 32767 / limit)).squareRoot()
        return nearest(number < 0 ? -root : root)
    }
}

extension Rotation3 {
    /// Index of the largest component, in the order w, x, y, z.
    @inline(__always)
    fileprivate var largestComponent: Int {
        let (first, second) = (w.magnitude >= x.magnitude ? 0 : 1, y.magnitude >= z.magnitude ? 2 : 3)
        let (scalar, vector) = (max(w.magnitude, x.magnitude), max(y.magnitude, z.magnitude))
        return scalar >= vector ? first : second
    }

    /// Other three components, in order, of the equivalent quaternion whose largest component is positive.
    @inline(__always)
    fileprivate func others(than largest: Int) -> Vector3 {
        switch largest {
        case 0: Vector3(x, y, z) * (w < 0 ? -1 : 1)
        case 1: Vector3(w, y, z) * (x < 0 ? -1 : 1)
        case 2: Vector3(w, x, z) * (y < 0 ? -1 : 1)
        default: Vector3(w, x, y) * (z < 0 ? -1 : 1)
        }
    }

    fileprivate init(largest: Int, others: Vector3) {
        let missing = max(0, 1 - others.squaredNorm).squareRoot()
        let found: Rotation3? =
            switch largest {
            case 0: Rotation3(w: missing, x: others.x, y: others.y, z: others.z)
            case 1: Rotation3(w: others.x, x: missing, y: others.y, z: others.z)
            case 2: Rotation3(w: others.x, x: others.y, y: missing, z: others.z)
            default: Rotation3(w: others.x, x: others.y, y: others.z, z: missing)
            }
        self = found ?? .identity
    }
}

/// Interpolation of the motion between two successive poses.
///
/// The position is a cubic Hermite curve with the velocities at both ends, and so is the rotation vector from the first
/// orientation to the second, with the angular velocities. With h between the two, s = t/h and ΔR = R₀⁻¹·R₁,
///
///     R = R₀·exp(s·log ΔR + (s − 2s² + s³)·(h·ω₀ − log ΔR) + (s³ − s²)·(h·ω₁ − log ΔR))
///
/// Velocity and angular velocity, which jump with corrections, are interpolated linearly between the published values.
struct PoseCurve {
    let first: PoseMoment
    let second: PoseMoment
    /// Angular velocity of the next pose, if known: a published rate is the mean over the previous interval.
    let rateAfter: Vector3?

    /// Angular acceleration beyond that of any head: it indicates a correction of the axes, and the rotation is
    /// interpolated uniformly. Unit: rad/s².
    private static let maximumAcceleration = 150.0

    /// Pose at a time between the first and the second pose.
    func moment(at time: BootTime) -> PoseMoment {
        let span = second.time.seconds(since: first.time)
        let share = span > 0 ? min(1, max(0, time.seconds(since: first.time) / span)) : 0
        let squared = share * share
        let (begin, end) = (share - 2 * squared + squared * share, squared * share - squared)
        let chord = second.position - first.position
        let bend = (first.velocity * span - chord) * begin + (second.velocity * span - chord) * end
        return PoseMoment(
            time: time, position: first.position + chord * share + bend,
            rotationSceneFromBody: first.rotationSceneFromBody * Rotation3.exp(turn(share, begin, end, span)),
            velocity: first.velocity + (second.velocity - first.velocity) * share,
            rate: first.rate + (second.rate - first.rate) * share)
    }

    private func turn(_ share: Double, _ begin: Double, _ end: Double, _ span: Double) -> Vector3 {
        let turn = (first.rotationSceneFromBody.inverse * second.rotationSceneFromBody).log
        let after = rateAfter ?? (second.rate * 2 - first.rate)
        let firstBend = (first.rate + second.rate) * (0.5 * span) - turn
        let secondBend = (second.rate + after) * (0.5 * span) - turn
        let maximum = 0.5 * Self.maximumAcceleration * span * span
        guard max(firstBend.norm, secondBend.norm) <= maximum else { return turn * share }
        return turn * share + firstBend * begin + secondBend * end
    }
}

extension PoseMoment {
    /// Extrapolation at constant velocities.
    func carried(to later: BootTime) -> PoseMoment {
        let span = later.seconds(since: time)
        var result = self
        result.time = later
        result.position = position + velocity * span
        result.rotationSceneFromBody = rotationSceneFromBody * Rotation3.exp(rate * span)
        return result
    }
}
