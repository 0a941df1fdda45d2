import Geometry

/// Update of the local field's direction by its strength, while a hand moves the board about.
extension ErrorStateKalmanFilter {
    /// Without satellites nothing tells the field's direction but the field itself: one that stays alike while a hand
    /// moves the board about has no iron nearby.
    mutating func learnLikeness() {
        let way = magnetics.takeHandWay()
        guard unaided.isActive, way > 0, magnetics.verdict == .good,
            !gait.isWalking(at: state.time, settings: settings.steps), let field = magnetics.calibrator
        else { return }
        let share = max(Self.leastShare, field.horizontal / field.strength)
        let likeness = settings.magnetic.likenessDeviation
        let variance = likeness * likeness + Self.unlikeShare * magnetics.disturbanceVariance / (share * share)
        var h = Jacobian<1>()
        h[0, ErrorState.magneticOffset] = 1
        correct(
            innovation: column(-state.magneticOffset), jacobian: h, noise: column(variance / way),
            mask: [.yaw, .magneticOffset], gate: nil)
    }

    private static let leastShare = 0.1
    /// Of the differences in strength and dip, that soft iron does not explain.
    private static let unlikeShare = 0.3
}
