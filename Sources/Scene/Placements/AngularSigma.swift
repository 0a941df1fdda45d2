import Model

/// How well the direction is known in which the wearer sees a placement.
public enum AngularSigma {
    /// `√(σ_yaw² + (σ_position/d)²)`, no more than π; nil while either is not known.
    ///
    /// Only the error across the line of sight turns a direction: that of one axis, which is the radius of 68 % by 1.51.
    ///
    /// - Parameters:
    ///   - yawDeviation: Standard deviation. Unit: radians.
    ///   - horizontalAccuracy: Radius of 68 %, of the wearer and the place together. Unit: metres.
    ///   - distance: Over ground. Unit: metres.
    public static func radians(yawDeviation: Double?, horizontalAccuracy: Double?, distance: Double) -> Double? {
        guard let yawDeviation, let horizontalAccuracy else { return nil }
        let across = horizontalAccuracy / PoseAccuracy.radius68
        // What is at hand may lie any way round, unless it is known to nothing where it is.
        guard distance > 0 else { return across > 0 ? .pi : min(yawDeviation, .pi) }
        let ofPosition = across / distance
        return min((yawDeviation * yawDeviation + ofPosition * ofPosition).squareRoot(), .pi)
    }
}
