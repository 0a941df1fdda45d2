import Geometry

/// Update of the local direction of the field by its uniformity while a hand moves the board about.
extension ErrorStateKalmanFilter {
    /// Without satellites the direction of the field can only be checked against the field itself: where strength and
    /// dip stay constant along the motion of the hand, no iron nearby deflects it.
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

    /// Least horizontal share of the field by which the disturbance is divided.
    private static let leastShare = 0.1
    /// Share of the squared differences in strength and dip that is attributed to iron nearby; soft iron explains the
    /// rest.
    private static let unlikeShare = 0.3
}
