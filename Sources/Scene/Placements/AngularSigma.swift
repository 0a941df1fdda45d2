import Estimation

/// Standard deviation of the direction in which the wearer sees a placement.
public enum AngularSigma {
    /// Standard deviation `√(σ_yaw² + (σ_position/d)²)`, at most π; nil while either is unknown. Unit: radians.
    ///
    /// Only the position error across the line of sight changes the direction: the standard deviation of one axis,
    /// which is the 68 % radius divided by 1.51.
    ///
    /// - Parameters:
    ///   - yawDeviation: standard deviation of the yaw. Unit: radians.
    ///   - horizontalAccuracy: 68 % radius of the relative position of wearer and placement. Unit: metres.
    ///   - distance: distance over ground. Unit: metres.
    public static func radians(yawDeviation: Double?, horizontalAccuracy: Double?, distance: Double) -> Double? {
        guard let yawDeviation, let horizontalAccuracy else { return nil }
        let across = horizontalAccuracy / PoseAccuracy.radius68
        // At distance zero every direction is possible, unless the position error is zero.
        guard distance > 0 else { return across > 0 ? .pi : min(yawDeviation, .pi) }
        let ofPosition = across / distance
        return min((yawDeviation * yawDeviation + ofPosition * ofPosition).squareRoot(), .pi)
    }
}
