import Geometry
import Glibc
import Model

/// Predicted pose.
public struct PosePrediction: Hashable, Sendable {
    /// Pose at the predicted time.
    public var pose: PoseEstimate
    /// Whether the requested time was beyond `PosePredictor.limit`. If so, the pose is predicted to the limit.
    public var isClamped: Bool
}

/// Predicts poses for the instant at which they are displayed.
///
/// The prediction over a time Δ assumes that the mean share w = max(0, 1 − Δ/100 ms) of an acceleration persists:
///
///     R ← R·exp((ω + ½·w·α·Δ)·Δ),  p ← p + v·Δ + ½·w·a·Δ²
///
/// ω and α are taken from a straight line that is fitted to the angular rates of the last 10 ms. Each rate is the mean
/// over its interval.
///
/// The same poses give the same predictions.
///
/// Equations: docs/filter.md (58), (59).
public struct PosePredictor: Sendable {
    /// Longest prediction. Unit: seconds.
    public static let limit = 0.1

    private(set) var newest: PoseEstimate?
    private(set) var motion = RecentMotion()

    package init() {}

    /// Adds the next pose. Its time must be later than that of the previous pose.
    public mutating func add(_ pose: PoseEstimate) {
        if let newest, newest.generation != pose.generation { motion = RecentMotion() }
        motion.add(pose)
        newest = pose
    }

    /// Predicts a pose from the newest pose; nil before the first pose.
    ///
    /// - Parameter seconds: time ahead of the newest pose, at least 0; limited to `limit`.
    public func predict(ahead seconds: Double) -> PosePrediction? {
        guard let newest else { return nil }
        let span = min(Self.limit, max(0, seconds))
        let isClamped = seconds > Self.limit
        guard span > 0 else { return PosePrediction(pose: newest, isClamped: isClamped) }
        return PosePrediction(pose: moved(newest, by: span), isClamped: isClamped)
    }

    private func moved(_ pose: PoseEstimate, by span: Double) -> PoseEstimate {
        let share = 1 - span / Self.limit
        let turning = motion.line(at: pose.time, rate: pose.angularVelocityInBody)
        let turn = Rotation3.exp((turning.rate + turning.acceleration * (0.5 * share * span)) * span)
        let push = motion.meanAcceleration * share
        let shift = (pose.velocityInScene + push * (0.5 * span)) * span
        let rotationENUFromScene = pose.rotationENUFromBody * pose.rotationSceneFromBody.inverse
        var result = pose
        result.time = pose.time.shifted(by: Int64((span * 1e9).rounded()))
        result.rotationSceneFromBody = pose.rotationSceneFromBody * turn
        result.rotationENUFromBody = pose.rotationENUFromBody * turn
        result.angularVelocityInBody = turning.rate + turning.acceleration * (share * span)
        result.positionInScene += shift
        result.velocityInScene += push * span
        result.accelerationInScene = push
        if let velocity = pose.velocityENU { result.velocityENU = velocity + rotationENUFromScene * (push * span) }
        result.geodetic = pose.geodetic.map { place in
            LocalTangentPlane(origin: place).position(ofENU: rotationENUFromScene * shift) ?? place
        }
        result.accuracy = grown(pose.accuracy, over: span)
        return result
    }

    /// Returns the accuracy of a prediction, which combines the accuracy of the pose and the unpredictable motion.
    private func grown(_ accuracy: PoseAccuracy, over span: Double) -> PoseAccuracy {
        let turn = motion.turning.unforeseen(over: span)
        let push = motion.moving.unforeseen(over: span)
        let across = PoseAccuracy.radius68 * ((push.x * push.x + push.z * push.z) / 2).squareRoot()
        let halfSquare = 0.5 * span * span
        // Extrapolating a line through few rates amplifies their noise.
        let carried = 1 + (1 - span / Self.limit) * span / RecentMotion.window
        let rate = carried * (accuracy.angularVelocity ?? 0) / PoseAccuracy.sphere68
        var result = accuracy
        result.yaw = sum(accuracy.yaw, turn.y * halfSquare, rate * span).map { min(.pi, $0) }
        result.horizontal = sum(accuracy.horizontal, across * halfSquare, (accuracy.velocityHorizontal ?? 0) * span)
        result.vertical = sum(accuracy.vertical, push.y * halfSquare, (accuracy.velocityVertical ?? 0) * span)
        result.velocityHorizontal = sum(accuracy.velocityHorizontal, across * span)
        result.velocityVertical = sum(accuracy.velocityVertical, push.y * span)
        let sphere = PoseAccuracy.sphere68 * (turn.squaredNorm / 3).squareRoot()
        result.angularVelocity = sum(accuracy.angularVelocity, sphere * span)
        return result
    }

    /// Returns the root of the sum of squares of independent errors.
    private func sum(_ known: Double?, _ first: Double, _ second: Double = 0) -> Double? {
        known.map { ($0 * $0 + first * first + second * second).squareRoot() }
    }
}

/// The last few angular rates and accelerations, and their variation.
struct RecentMotion: Sendable {
    private struct Moment {
        /// Centre of the interval over which the rate is averaged.
        var middle: BootTime
        var rate: Vector3
        /// Acceleration of the body. Frame: scene. Unit: m/s².
        var acceleration: Vector3
        /// Angular acceleration, computed over the preceding moments. Frame: scene. Unit: rad/s².
        var angularAcceleration: Vector3
    }

    private var moments = Ring<Moment>(capacity: 64)
    private var latest: BootTime?
    private(set) var turning = PredictionTerms.Variation()
    private(set) var moving = PredictionTerms.Variation()

    /// Age up to which all rates are fitted, smallest number of fitted rates, and age up to which older rates are added
    /// to reach this number. Units: seconds, 1, seconds. Origin: these values were best for recorded heads and hands at
    /// 286 Hz. Shorter windows contain only noise.
    static let window = 0.010
    private static let minimumCount = 3
    private static let oldest = 0.045

    mutating func add(_ pose: PoseEstimate) {
        let interval = latest.map { pose.time.seconds(since: $0) } ?? 0
        latest = pose.time
        if interval > Self.oldest { moments.removeAll() }
        let middle = pose.time.shifted(by: -Int64(0.5e9 * min(interval, Self.oldest)))
        var moment = Moment(
            middle: middle, rate: pose.angularVelocityInBody, acceleration: pose.accelerationInScene,
            angularAcceleration: .zero)
        if let first = moments.first, middle > first.middle {
            let span = middle.seconds(since: first.middle)
            moment.angularAcceleration = pose.rotationSceneFromBody * ((moment.rate - first.rate) / span)
            let jerk = (moment.angularAcceleration - first.angularAcceleration) / span
            let share = PredictionTerms.Variation.share(of: interval)
            turning.add(moment.angularAcceleration, change: jerk, share)
            moving.add(moment.acceleration, change: (moment.acceleration - first.acceleration) / span, share)
        }
        moments.append(moment)
        forgetOld(at: pose.time)
    }

    private mutating func forgetOld(at time: BootTime) {
        while let first = moments.first {
            let age = time.seconds(since: first.middle)
            let isNeeded = age <= Self.window || (moments.count <= Self.minimumCount && age <= Self.oldest)
            guard !isNeeded, moments.count > 1 else { return }
            moments.removeFirst()
        }
    }

    /// Mean acceleration over the last moments. Frame: scene. Unit: m/s².
    var meanAcceleration: Vector3 {
        var sum = Vector3.zero
        for index in 0..<moments.count { sum += moments[index].acceleration }
        return moments.isEmpty ? .zero : sum / Double(moments.count)
    }

    /// Fits a straight line to the last rates, and returns its value at a time and its slope. Frame: body. Units:
    /// rad/s, rad/s².
    ///
    /// - Parameter rate: angular velocity at that time, for too few rates.
    func line(at time: BootTime, rate: Vector3) -> (rate: Vector3, acceleration: Vector3) {
        let count = Double(moments.count)
        guard moments.count > 1 else { return (rate, .zero) }
        var (ages, rates) = (0.0, Vector3.zero)
        for index in 0..<moments.count {
            ages += time.seconds(since: moments[index].middle)
            rates += moments[index].rate
        }
        let (meanAge, meanRate) = (ages / count, rates / count)
        var (square, product) = (0.0, Vector3.zero)
        for index in 0..<moments.count {
            let distance = meanAge - time.seconds(since: moments[index].middle)
            square += distance * distance
            product += (moments[index].rate - meanRate) * distance
        }
        guard square > 0 else { return (rate, .zero) }
        let acceleration = product / square
        return (meanRate + acceleration * meanAge, acceleration)
    }
}

extension PredictionTerms.Variation {
    /// Time constant of the means. Unit: seconds.
    private static let memory = 0.5

    /// Share of the newest value in the means, given the time since the value before. Unit: seconds.
    static func share(of interval: Double) -> Double { 1 - exp(-interval / memory) }

    mutating func add(_ acceleration: Vector3, change: Vector3, _ share: Double) {
        squares += (Self.square(acceleration) - squares) * share
        changes += (Self.square(change) - changes) * share
    }

    private static func square(_ vector: Vector3) -> Vector3 {
        Vector3(vector.x * vector.x, vector.y * vector.y, vector.z * vector.z)
    }

    /// Standard deviation of the unpredicted acceleration, per axis, averaged over a time ahead.
    ///
    /// It has two parts. The first is the share of the acceleration that is assumed to decay. The second is the change
    /// of the remaining share since it was measured. This change counts for only a third of the time ahead, because
    /// late changes have less effect after double integration.
    func unforeseen(over span: Double) -> Vector3 {
        let lasting = 1 - span / PosePredictor.limit
        let fading = span / PosePredictor.limit
        let age = lasting * (span / 3 + RecentMotion.window / 2)
        let variance = squares * (fading * fading) + changes * (age * age)
        return Vector3(variance.x.squareRoot(), variance.y.squareRoot(), variance.z.squareRoot())
    }
}

/// Terms that a prediction needs in addition to the newest pose. They are for clients that compute predictions
/// themselves.
///
/// Equations: docs/filter.md (58), (59).
public struct PredictionTerms: Hashable, Sendable {
    /// Recent mean squares of an acceleration and of its derivative, per axis. They describe the unpredictable part of
    /// the motion. Frame: scene.
    public struct Variation: Hashable, Sendable {
        /// Mean squares of the acceleration.
        public internal(set) var squares = Vector3.zero
        /// Mean squares of the derivative of the acceleration.
        public internal(set) var changes = Vector3.zero
    }

    /// Angular velocity at the time of the pose, taken from the line fitted to the last rates. Frame: body. Unit:
    /// rad/s.
    public var turningRate: Vector3
    /// Slope of the fitted line. Frame: body. Unit: rad/s².
    public var turningAcceleration: Vector3
    /// Mean acceleration over the last moments. Frame: scene. Unit: m/s².
    public var acceleration: Vector3
    /// Variation of the angular acceleration. Unit of the squares: (rad/s²)².
    public var turningVariation: Variation
    /// Variation of the acceleration. Unit of the squares: (m/s²)².
    public var movingVariation: Variation

    /// Whether every term is finite.
    public var isFinite: Bool {
        let sum =
            turningRate + turningAcceleration + acceleration + turningVariation.squares + turningVariation.changes
            + movingVariation.squares + movingVariation.changes
        return (sum.x + sum.y + sum.z).isFinite
    }
}

extension PosePredictor {
    /// Terms of a prediction from the newest pose; nil before the first pose.
    public var terms: PredictionTerms? {
        // The members are read one by one, because all of the pose would be copied.
        guard let time = newest?.time, let rate = newest?.angularVelocityInBody else { return nil }
        let turning = motion.line(at: time, rate: rate)
        return PredictionTerms(
            turningRate: turning.rate, turningAcceleration: turning.acceleration,
            acceleration: motion.meanAcceleration, turningVariation: motion.turning, movingVariation: motion.moving)
    }
}
