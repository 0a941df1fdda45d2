import Geometry

import Glibc

/// Prediction of the covariance, `P ← Φ·P·Φᵀ + Q`, in blocks. The rows and columns of the motion states are predicted
/// at each update, random walks and Gauss–Markov states every `slowInterval`.
///
/// Equation: docs/filter.md (12).
extension ErrorStateKalmanFilter {
    /// Interval after which the covariance is predicted if no update has predicted it. Changes of rotation and velocity
    /// over the interval are exact; the neglected terms are of third order in the interval. Unit: seconds.
    package static let covarianceInterval = 0.0995

    /// Predicts the covariance at the time of the state.
    package mutating func propagateCovariance() {
        guard pending.duration > 0 else { return }
        applyTransition()
        addMotionNoise()
        pending.endMotion()
        if pending.slowDuration >= Self.slowInterval { propagateSlowStates() }
        checkCovariance()
    }

    /// Number of motion states. They are the first nine states: attitude, velocity and position.
    private static let motionCount = ErrorState.position + 3

    private mutating func applyTransition() {
        let transition = MotionTransition(
            rotation: pending.rotation, turns: pending.turns, force: pending.force, span: pending.duration,
            model: rules.process)
        // Computes Φ·P, which is final except in the block of the motion states.
        for j in 0..<ErrorState.count { carryColumn(j, by: transition) }
        for i in Self.motionCount..<ErrorState.count {
            for j in 0..<Self.motionCount { covariance.rows[i][j] = covariance.rows[j][i] }
        }
        // In that block, (Φ·P)·Φᵀ equals Φ·(Φ·P)ᵀ.
        for i in 0..<Self.motionCount {
            for j in 0..<i {
                let element = covariance.rows[i][j]
                covariance.rows[i][j] = covariance.rows[j][i]
                covariance.rows[j][i] = element
            }
        }
        for j in 0..<Self.motionCount { carryColumn(j, by: transition) }
        // Makes the block symmetric to the last bit.
        for i in 0..<Self.motionCount {
            for j in 0..<i { covariance.rows[i][j] = covariance.rows[j][i] }
        }
        camera?.carry(transition)
    }

    @inline(__always)
    private mutating func carryColumn(_ j: Int, by transition: MotionTransition) {
        @inline(__always)
        func part(_ offset: Int) -> Vector3 {
            Vector3(covariance.rows[offset][j], covariance.rows[offset + 1][j], covariance.rows[offset + 2][j])
        }
        let carried = transition.carry(
            MotionTransition.Errors(
                attitude: part(ErrorState.attitude), velocity: part(ErrorState.velocity),
                position: part(ErrorState.position), gyroBias: part(ErrorState.gyroBias),
                accelerometerBias: part(ErrorState.accelerometerBias), gyroScale: part(ErrorState.gyroScale)))
        @inline(__always)
        func put(_ vector: Vector3, at offset: Int) {
            covariance.rows[offset][j] = vector.x
            covariance.rows[offset + 1][j] = vector.y
            covariance.rows[offset + 2][j] = vector.z
        }
        put(carried.attitude, at: ErrorState.attitude)
        put(carried.velocity, at: ErrorState.velocity)
        put(carried.position, at: ErrorState.position)
    }

    /// Adds the integrated noise of the process model.
    ///
    /// Equation: docs/filter.md (16).
    private mutating func addMotionNoise() {
        let (span, model) = (pending.duration, rules.process)
        covariance.rows[ErrorState.yaw][ErrorState.yaw] += pending.yawVariance
        for i in 0..<3 {
            let isUp = i == 2
            let driven = isUp ? model.driven.vertical : model.driven.horizontal
            let carried = isUp ? 1 : model.carried
            let walk = isUp ? pending.verticalWalk : pending.horizontalWalk
            let pace = carried == 0 ? ProcessModel.paceVariance : 0
            let velocity = driven * pending.forceVariance + walk + pace
            let (p, v) = (ErrorState.position + i, ErrorState.velocity + i)
            covariance.rows[ErrorState.attitude + i][ErrorState.attitude + i] += pending.attitudeVariance
            covariance.rows[v][v] += velocity
            covariance.rows[p][p] += carried * velocity * span * span / 3
            covariance.rows[p][v] += carried * velocity * span / 2
            covariance.rows[v][p] += carried * velocity * span / 2
        }
    }

    /// Predicts the covariance, `P ← F·P·Fᵀ + Q`, where F adds `J·δx` to the horizontal position.
    ///
    /// Equation: docs/filter.md (76).
    package mutating func displace(by jacobian: Jacobian<2>, noise: Matrix<2, 2>) {
        propagateCovariance()
        let cross = jacobian * covariance
        let own = cross * jacobian.transpose + noise
        camera?.displace(by: jacobian)
        let p = ErrorState.position
        for i in 0..<2 {
            for k in 0..<2 {
                covariance.rows[p + i][p + k] += own[i, k] + cross[i, p + k] + cross[k, p + i]
            }
        }
        for i in 0..<2 {
            for j in 0..<ErrorState.count where j != p && j != p + 1 {
                covariance.rows[p + i][j] += cross[i, j]
                covariance.rows[j][p + i] = covariance.rows[p + i][j]
            }
        }
    }
}

/// Transition of the motion errors over an interval, `e ← Φ·e`.
///
/// With S = ∫R dt, Θ = ∫R·diag(ω) dt, g = ∫R·f dt, the interval Δ, and C and D of the process model:
///
///     δv′ = C·δv − D·(g×½(δθ + δθ′) + S·δb_a)
///     δp′ = δp + ½Δ·C·(δv + δv′)
///     δθ′ = δθ − S·δb_g − Θ·δs
///
/// Source: Solà 2017, equations (269) and (309), with the global attitude error and the trapezoidal rule. Neglected
/// terms are of third order in Δ.
///
/// Equations: docs/filter.md (9) to (11).
struct MotionTransition {
    /// S = ∫R dt. Unit: seconds.
    let rotation: Matrix<3, 3>
    /// Θ = ∫R·diag(ω) dt. Unit: radians.
    let turns: Matrix<3, 3>
    /// g = ∫R·f dt. Frame: ENU. Unit: m/s.
    let force: Vector3
    /// Duration of the interval. Unit: seconds.
    let span: Double
    let model: ProcessModel

    /// Elements of an error state, or of a column of the covariance, that the motion transition uses.
    struct Errors {
        var attitude: Vector3
        var velocity: Vector3
        var position: Vector3
        var gyroBias: Vector3
        var accelerometerBias: Vector3
        var gyroScale: Vector3
    }

    /// Returns the errors at the end of the interval.
    @inline(__always)
    func carry(_ errors: Errors) -> Errors {
        let turned = rotation * errors.gyroBias + turns * errors.gyroScale
        let mean = errors.attitude - turned * 0.5
        var carried = errors
        carried.attitude = errors.attitude - turned
        let (before, kept) = (errors.velocity, model.carried)
        carried.velocity =
            Vector3(kept * before.x, kept * before.y, before.z)
            - model.driven(force.cross(mean) + rotation * errors.accelerometerBias)
        let twice = before + carried.velocity
        let level = kept * 0.5 * span
        carried.position = errors.position + Vector3(level * twice.x, level * twice.y, 0.5 * span * twice.z)
        return carried
    }
}

/// Prediction of the states that do not depend on the motion. They are random walks, and first-order Gauss–Markov
/// processes with time constants of ten seconds or more.
///
/// The transition of these states is diagonal and commutes with the transition of the motion, so the two transitions
/// are applied at different rates.
extension ErrorStateKalmanFilter {
    /// Interval between two predictions, over which none of these states changes by more than 1 %. Unit: seconds.
    package static let slowInterval = 0.0975

    /// Transition and process noise of each state over an interval.
    private struct Drift {
        /// Diagonal of the transition. Each factor multiplies the value of a state, and its row and column of the
        /// covariance.
        var factors = InlineArray<32, Double>(repeating: 1)
        /// Process noise, as the increment of each variance.
        var growth = InlineArray<32, Double>(repeating: 0)
        /// Duration of the interval. Unit: seconds.
        let span: Double

        init(over span: Double) { self.span = span }

        /// Adds a random walk.
        ///
        /// - Parameter standardDeviation: standard deviation after one second, in the state's unit per √s.
        mutating func walk(_ offset: Int, count: Int = 1, standardDeviation: Double) {
            for i in offset..<(offset + count) { growth[i] = standardDeviation * standardDeviation * span }
        }

        /// Adds the Gauss–Markov process of a vector.
        ///
        /// - Parameter standardDeviations: stationary standard deviations.
        /// - Returns: the factor by which the value decays.
        mutating func decay(_ offset: Int, seconds: Double, standardDeviations: Vector3) -> Double {
            let factor = decay(offset, seconds: seconds, standardDeviation: standardDeviations.x)
            _ = decay(offset + 1, factor: factor, standardDeviation: standardDeviations.y)
            return decay(offset + 2, factor: factor, standardDeviation: standardDeviations.z)
        }

        mutating func decay(_ index: Int, seconds: Double, standardDeviation: Double) -> Double {
            decay(index, factor: exp(-span / seconds), standardDeviation: standardDeviation)
        }

        /// Adds a Gauss–Markov process over distance. Units: metres.
        mutating func decay(_ index: Int, distance: Double, length: Double, standardDeviation: Double) -> Double {
            decay(index, factor: exp(-distance / length), standardDeviation: standardDeviation)
        }

        private mutating func decay(_ index: Int, factor: Double, standardDeviation: Double) -> Double {
            factors[index] = factor
            growth[index] = (1 - factor * factor) * standardDeviation * standardDeviation
            return factor
        }
    }

    /// Predicts every state except the motion states, over the time since the last call.
    ///
    /// Equations: docs/filter.md (13), (14).
    mutating func propagateSlowStates() {
        var drift = Drift(over: pending.slowDuration)
        pending.slowDuration = 0
        measureDistance(over: drift.span)
        addWalks(&drift)
        addDecays(&drift)
        for i in 0..<ErrorState.count {
            let factor = drift.factors[i]
            if factor == 1 {
                for j in Self.decaying { covariance.rows[i][j] *= drift.factors[j] }
            } else {
                for j in 0..<ErrorState.count { covariance.rows[i][j] *= factor * drift.factors[j] }
                camera?.scale(i, by: factor)
            }
            covariance.rows[i][i] += drift.growth[i]
        }
    }

    /// Range that contains all states that decay. The factors of all other states are 1.
    private static let decaying = ErrorState.gnssError..<ErrorState.velocityDelay

    /// Horizontal speed. While steps move the position, it is the speed of the last step. Unit: m/s.
    @inline(__always)
    var horizontalSpeed: Double {
        rules.process.horizontal == .steps ? pendingWay.speed : state.velocity.horizontalNorm
    }

    /// Accumulates the distance over which the local direction of the field changes. A speed below the velocity error
    /// counts as rest.
    private mutating func measureDistance(over span: Double) {
        let magnetic = settings.magnetic
        let speed = horizontalSpeed
        pending.way = speed > magnetic.minimumDistanceSpeed ? speed * span : 0
        if state.velocity.norm > magnetic.minimumHandSpeed { magnetics.add(handDistance: state.velocity.norm * span) }
    }

    /// Stationary standard deviation of the local direction of the field. The same iron deflects a steep field more
    /// than a flat field. Unit: radians.
    @inline(__always)
    var fieldOffsetStandardDeviation: Double {
        guard let field = magnetics.calibrator else { return settings.magnetic.offsetStandardDeviation }
        let steepness = Self.usualHorizontalShare * field.strength / max(1e-9, field.horizontal)
        return settings.magnetic.offsetStandardDeviation
            * max(Self.steepness.lowerBound, min(Self.steepness.upperBound, steepness))
    }

    /// Horizontal share of the field for which `offsetStandardDeviation` is valid, as at middle latitudes.
    private static let usualHorizontalShare = 0.44
    /// Range of the factor by which the steepness of the field scales `offsetStandardDeviation`.
    private static let steepness = 0.7...4.0

    private mutating func addWalks(_ drift: inout Drift) {
        let inertial = settings.inertial
        drift.walk(ErrorState.gyroBias, count: 3, standardDeviation: inertial.gyroBiasWalk)
        drift.walk(ErrorState.gyroScale, count: 3, standardDeviation: inertial.gyroScaleWalk)
        drift.walk(ErrorState.accelerometerBias, count: 3, standardDeviation: inertial.accelerometerBiasWalk)
        let iron = settings.magnetic.hardIronWalk * magnetics.fieldStrength(settings)
        drift.walk(ErrorState.hardIron, count: 3, standardDeviation: iron)
        drift.walk(ErrorState.stepScale, standardDeviation: settings.steps.scaleWalk)
        drift.walk(ErrorState.velocityDelay, standardDeviation: settings.gnss.velocityDelayWalk)
        drift.walk(ErrorState.pressureOffset, standardDeviation: settings.height.offsetWalk)
    }

    private mutating func addDecays(_ drift: inout Drift) {
        let receiver = settings.gnss
        state.gnssError =
            state.gnssError
            * drift.decay(
                ErrorState.gnssError, seconds: receiver.correlationSeconds,
                standardDeviations: gnss.errorStandardDeviation)
        state.gnssVelocityError =
            state.gnssVelocityError
            * drift.decay(
                ErrorState.gnssVelocityError, seconds: velocityErrorSeconds,
                standardDeviations: gnss.velocityErrorStandardDeviation)
        let field = drift.decay(
            ErrorState.magneticOffset, distance: pending.way, length: settings.magnetic.offsetLength,
            standardDeviation: fieldOffsetStandardDeviation)
        let walking = drift.decay(
            ErrorState.walkingDirection, seconds: settings.steps.directionSeconds,
            standardDeviation: settings.steps.directionStandardDeviation)
        state.magneticOffset *= field
        state.walkingDirection *= walking
        planTurn.decay(magneticOffset: field, walkingDirection: walking)
    }
}
