import Geodesy
import Geometry
import Measurements

/// Predicted pose.
public struct PosePrediction: Hashable, Sendable {
    /// Pose at the predicted time.
    public var pose: PoseEstimate
    /// Whether the time asked for was beyond `PosePredictor.limit`, and the pose is that of the limit.
    public var isClamped: Bool
}

/// Predictor of poses for the instant at which they are displayed.
///
/// Over the time Δ ahead, with the mean share w = max(0, 1 − Δ/100 ms) of an acceleration that persists,
///
///     R ← R·exp((ω + ½·w·α·Δ)·Δ),  p ← p + v·Δ + ½·w·a·Δ²
///
/// ω and α are by a straight line fitted to the angular rates of the last 10 ms, each the mean over its interval.
///
/// The same poses give the same predictions.
///
/// Equations: docs/filter.md (58), (59).
public struct PosePredictor: Sendable {
    /// Longest prediction. Unit: seconds.
    public static let limit = 0.1

    private var newest: PoseEstimate?
    private var motion = RecentMotion()

    /// Makes a predictor without any pose.
    public init() {}

    /// Takes the next pose; times must increase.
    public mutating func add(_ pose: PoseEstimate) {
        if let newest, newest.generation != pose.generation { motion = RecentMotion() }
        motion.add(pose)
        newest = pose
    }

    /// Prediction from the newest pose; nil before the first.
    ///
    /// - Parameter seconds: time ahead of the newest pose, from 0; beyond `limit` the limit applies.
    public func predict(ahead seconds: Double) -> PosePrediction? {
        guard let newest else { return nil }
        let span = min(Self.limit, max(0, seconds))
        let isClamped = seconds > Self.limit
        guard span > 0 else { return PosePrediction(pose: newest, isClamped: isClamped) }
        return PosePrediction(pose: moved(newest, by: span), isClamped: isClamped)
    }

    private func moved(_ pose: PoseEstimate, by span: Double) -> PoseEstimate {
        let share = 1 - span / Self.limit
        let turning = motion.line(to: pose)
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

    /// Accuracy of a prediction: that of the pose, with the unpredictable motion added.
    private func grown(_ accuracy: PoseAccuracy, over span: Double) -> PoseAccuracy {
        let turn = motion.turning.unforeseen(over: span)
        let push = motion.moving.unforeseen(over: span)
        let across = PoseAccuracy.radius68 * ((push.x * push.x + push.z * push.z) / 2).squareRoot()
        let way = 0.5 * span * span
        // Extrapolating a line through few rates amplifies their noise.
        let carried = 1 + (1 - span / Self.limit) * span / RecentMotion.window
        let rate = carried * (accuracy.angularVelocity ?? 0) / PoseAccuracy.sphere68
        var result = accuracy
        result.yaw = sum(accuracy.yaw, turn.y * way, rate * span).map { min(.pi, $0) }
        result.horizontal = sum(accuracy.horizontal, across * way, (accuracy.velocityHorizontal ?? 0) * span)
        result.vertical = sum(accuracy.vertical, push.y * way, (accuracy.velocityVertical ?? 0) * span)
        result.velocityHorizontal = sum(accuracy.velocityHorizontal, across * span)
        result.velocityVertical = sum(accuracy.velocityVertical, push.y * span)
        let sphere = PoseAccuracy.sphere68 * (turn.squaredNorm / 3).squareRoot()
        result.angularVelocity = sum(accuracy.angularVelocity, sphere * span)
        return result
    }

    /// Root sum of squares of independent errors.
    private func sum(_ known: Double?, _ first: Double, _ second: Double = 0) -> Double? {
        known.map { ($0 * $0 + first * first + second * second).squareRoot() }
    }
}
