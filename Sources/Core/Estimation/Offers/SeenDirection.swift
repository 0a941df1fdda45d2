import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// Update by the azimuth of something that is seen, whose direction on earth is known.
extension ErrorStateKalmanFilter {
    /// Corrects the yaw by a direction, and sets it where none is known or only the compass has shown it.
    mutating func apply(direction offer: LocalOffer) -> UpdateOutcome? {
        guard let model = directionModel(offer) else { return nil }
        guard rules.hasYaw else {
            begin(yawBy: model, of: offer)
            return .applied
        }
        let outcome = correct(directionUpdate(model), of: offer)
        guard !outcome.isAccepted, !heading.isSettled else { return UpdateOutcome(outcome) }
        // What the wearer points at is better evidence than a compass that nothing has confirmed.
        begin(yawBy: model, of: offer)
        return .applied
    }

    /// Sets the yaw, as one that motion may still contradict.
    private mutating func begin(yawBy model: DirectionModel, of offer: LocalOffer) {
        influence.cause = .aid
        turnBody(by: -model.innovation)
        resetCovariance(ErrorState.yaw, count: 1, variance: model.variance)
        heading.takeFromOffer()
        offers.noteSet(by: offer)
        updateRegime()
    }

    /// States that a fix may correct: while the receiver sees no motion, its slow errors would turn a yaw that an offer
    /// has set, at once and by way of the gyroscope bias.
    @inline(__always)
    var fixMask: GainMask {
        guard heading.isOffered, gnss.motion.isMoving(at: state.time, beyond: settings.rest.gnssSpeed) == false else {
            return rules.fixMask
        }
        return rules.fixMask.subtracting([.yaw, .magneticOffset, .gyroBias])
    }

    private func directionUpdate(_ model: DirectionModel) -> Update<1> {
        Self.scalarUpdate(
            model.innovation, model.jacobian, variance: model.variance,
            mask: [.yaw, .gyroBias, .hardIron, .magneticOffset], gate: InnovationGate(rule: .reject), cause: .aid)
    }

    /// Model of a direction.
    package struct DirectionModel {
        /// Known azimuth less that by the state, clockwise. Unit: radians.
        package let innovation: Double
        package let jacobian: Jacobian<1>
        /// Variance of the azimuth, by the direction and by errors of the position that the state does not hold. Unit:
        /// rad².
        package let variance: Double
    }

    /// Measurement model `0 = β − α`: the azimuth α = atan2(d_x, d_y) of the seen direction d = R·b, and β, that of
    /// the known direction or of the point from the present position; nil for a direction that is too steep, and for a
    /// point that is too near.
    ///
    /// Equation: docs/filter.md (106).
    package func directionModel(_ offer: LocalOffer) -> DirectionModel? {
        let seen = state.rotationENUFromBody * offer.directionInBody
        let level = seen.x * seen.x + seen.y * seen.y
        guard level > Self.steepest * Self.steepest else { return nil }
        var h = Jacobian<1>()
        // δα of a rotation δθ: the components of δθ × d along the ground.
        h[0, ErrorState.attitude] = seen.x * seen.z / level
        h[0, ErrorState.attitude + 1] = seen.y * seen.z / level
        h[0, ErrorState.attitude + 2] = -1
        var known = offer.point
        var variance = offer.standardDeviation * offer.standardDeviation / level
        if offer.kind == .landmark {
            guard gnss.hasPosition else { return nil }
            known = offer.point - state.position
            let square = known.x * known.x + known.y * known.y
            let error = gnss.lastingVariance + predictedHorizontalVariance
            guard square > Self.nearest * error, square > 1 else { return nil }
            h[0, ErrorState.position] = known.y / square
            h[0, ErrorState.position + 1] = -known.x / square
            variance += gnss.lastingVariance / square
        }
        let innovation = Angle.wrapped(atan2(known.x, known.y) - atan2(seen.x, seen.y))
        return DirectionModel(innovation: innovation, jacobian: h, variance: variance)
    }

    private var predictedHorizontalVariance: Double {
        let p = ErrorState.position
        return max(covariance.rows[p][p], covariance.rows[p + 1][p + 1])
    }

    /// Least horizontal share of a direction of length 1: 78° above the horizon.
    private static let steepest = 0.2
    /// Least squared distance of a point, in variances of the position: at four standard deviations the azimuth is
    /// known to 14°.
    private static let nearest = 16.0
}
