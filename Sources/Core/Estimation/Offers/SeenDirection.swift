import Geometry
import Glibc
import Model

/// Updates the filter with the azimuth of a sighted object whose direction on earth is known.
extension ErrorStateKalmanFilter {
    /// Corrects the yaw with a direction, or sets the yaw if it is unknown or depends on the compass alone.
    mutating func apply(direction offer: LocalOffer) -> UpdateOutcome? {
        guard let model = directionModel(offer) else { return nil }
        guard rules.hasYaw else {
            begin(yawBy: model, of: offer)
            return .applied
        }
        let outcome = correct(directionUpdate(model), of: offer)
        guard !outcome.isAccepted, !heading.isSettled else { return UpdateOutcome(outcome) }
        // An object that the wearer points at is better evidence than an unconfirmed compass.
        begin(yawBy: model, of: offer)
        return .applied
    }

    /// Sets the yaw and marks it as unconfirmed, so that motion may still contradict it.
    private mutating func begin(yawBy model: DirectionModel, of offer: LocalOffer) {
        influence.cause = .aid
        turnBody(by: -model.innovation)
        resetCovariance(ErrorState.yaw, count: 1, variance: model.variance)
        heading.takeFromOffer()
        offers.noteSet(by: offer)
        updateRegime()
    }

    /// States that a fix may correct. If an offer has set the yaw and the receiver measures no motion, yaw, local
    /// direction of the field and gyroscope bias are excluded; otherwise the receiver's slow errors would turn the yaw,
    /// directly and through the bias.
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

    package struct DirectionModel {
        /// Known azimuth minus the azimuth predicted by the state, clockwise. Unit: radians.
        package let innovation: Double
        package let jacobian: Jacobian<1>
        /// Variance of the azimuth, due to the direction and to position errors that the state does not model. Unit:
        /// rad².
        package let variance: Double
    }

    /// Measurement model `0 = β − α`. α = atan2(d_x, d_y) is the azimuth of the sighted direction d = R·b, and β the
    /// azimuth of the known direction, or of the known point from the current position. It is nil if the direction is
    /// too steep or the point too near.
    ///
    /// Equation: docs/filter.md (106).
    package func directionModel(_ offer: LocalOffer) -> DirectionModel? {
        let seen = state.rotationENUFromBody * offer.directionInBody
        let level = seen.x * seen.x + seen.y * seen.y
        guard level > Self.minimumDirectionShare * Self.minimumDirectionShare else { return nil }
        var h = Jacobian<1>()
        // δα for a rotation δθ follows from the horizontal components of δθ × d.
        h[0, ErrorState.attitude] = seen.x * seen.z / level
        h[0, ErrorState.attitude + 1] = seen.y * seen.z / level
        h[0, ErrorState.attitude + 2] = -1
        var known = offer.point
        var variance = offer.standardDeviation * offer.standardDeviation / level
        if offer.kind == .landmark {
            guard gnss.hasPosition else { return nil }
            known = offer.point - state.position
            let square = known.x * known.x + known.y * known.y
            let error = gnss.lastingVariance + worseHorizontalVariance(ErrorState.position)
            guard square > Self.nearest * error, square > 1 else { return nil }
            h[0, ErrorState.position] = known.y / square
            h[0, ErrorState.position + 1] = -known.x / square
            variance += gnss.lastingVariance / square
        }
        let innovation = Angle.wrapped(atan2(known.x, known.y) - atan2(seen.x, seen.y))
        return DirectionModel(innovation: innovation, jacobian: h, variance: variance)
    }

    /// Smallest horizontal part of a unit vector whose azimuth is used: 78° above the horizon.
    private static let minimumDirectionShare = 0.2
    /// Smallest squared distance of a point, in variances of the position. At four standard deviations the azimuth is
    /// known to 14°.
    private static let nearest = 16.0
}
