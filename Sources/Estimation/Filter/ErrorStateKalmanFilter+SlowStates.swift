import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Prediction of the states that do not depend on the motion: random walks, and first-order Gauss–Markov processes with
/// time constants of ten seconds and more.
///
/// Their transition is diagonal and commutes with that of the motion, so both are applied at rates of their own.
extension ErrorStateKalmanFilter {
    /// Interval between two predictions, within which no such state changes by more than 1 %. Unit: seconds.
    package static let slowInterval = 0.0975

    /// Transition and process noise of each state over an interval.
    private struct Drift {
        /// Diagonal of the transition: factors of the value, and of the row and column of the covariance.
        var factors = InlineArray<29, Double>(repeating: 1)
        /// Process noise: what is added to each variance.
        var growth = InlineArray<29, Double>(repeating: 0)
        /// Unit: seconds.
        let span: Double

        init(over span: Double) { self.span = span }

        /// Adds a random walk.
        ///
        /// - Parameter deviation: standard deviation after one second, in the state's unit per √s.
        mutating func walk(_ offset: Int, count: Int = 1, deviation: Double) {
            for i in offset..<(offset + count) { growth[i] = deviation * deviation * span }
        }

        /// Adds the Gauss–Markov process of a vector.
        ///
        /// - Parameter deviations: stationary standard deviations.
        /// - Returns: the factor by which the value decays.
        mutating func decay(_ offset: Int, seconds: Double, deviations: Vector3) -> Double {
            let factor = decay(offset, seconds: seconds, deviation: deviations.x)
            _ = decay(offset + 1, factor: factor, deviation: deviations.y)
            return decay(offset + 2, factor: factor, deviation: deviations.z)
        }

        mutating func decay(_ index: Int, seconds: Double, deviation: Double) -> Double {
            decay(index, factor: exp(-span / seconds), deviation: deviation)
        }

        /// Adds a Gauss–Markov process over distance. Units: metres.
        mutating func decay(_ index: Int, way: Double, length: Double, deviation: Double) -> Double {
            decay(index, factor: exp(-way / length), deviation: deviation)
        }

        private mutating func decay(_ index: Int, factor: Double, deviation: Double) -> Double {
            factors[index] = factor
            growth[index] = (1 - factor * factor) * deviation * deviation
            return factor
        }
    }

    /// Predicts every state but those of the motion, over the time since the last call.
    ///
    /// Equations: docs/filter.md (13), (14).
    mutating func propagateSlowStates() {
        var drift = Drift(over: pending.slowDuration)
        pending.slowDuration = 0
        measureWay(over: drift.span)
        addWalks(&drift)
        addDecays(&drift)
        for i in 0..<ErrorState.count {
            let factor = drift.factors[i]
            for j in 0..<ErrorState.count { covariance.rows[i][j] *= factor * drift.factors[j] }
            covariance.rows[i][i] += drift.growth[i]
        }
    }

    /// Measures the distance over which the local direction of the field changes; a speed below the error of the
    /// velocity counts as rest.
    private mutating func measureWay(over span: Double) {
        let magnetic = settings.magnetic
        let speed = isStepping ? pendingWay.speed : state.velocity.horizontalNorm
        pending.way = speed > magnetic.leastWaySpeed ? speed * span : 0
        if state.velocity.norm > magnetic.leastHandSpeed { magnetics.add(handWay: state.velocity.norm * span) }
    }

    /// Stationary standard deviation of the local direction of the field: iron of a given strength deflects a steep
    /// field more. Unit: radians.
    @inline(__always)
    var fieldOffsetDeviation: Double {
        guard let field = magnetics.calibrator else { return settings.magnetic.offsetDeviation }
        let steepness = Self.usualHorizontalShare * field.strength / max(1e-9, field.horizontal)
        return settings.magnetic.offsetDeviation * max(Self.leastSteepness, min(Self.largestSteepness, steepness))
    }

    /// Horizontal share of the field to which `offsetDeviation` refers: that of middle latitudes.
    private static let usualHorizontalShare = 0.44
    private static let leastSteepness = 0.7
    private static let largestSteepness = 4.0

    private mutating func addWalks(_ drift: inout Drift) {
        let inertial = settings.inertial
        drift.walk(ErrorState.gyroBias, count: 3, deviation: inertial.gyroBiasWalk)
        drift.walk(ErrorState.accelerometerBias, count: 3, deviation: inertial.accelerometerBiasWalk)
        let iron = settings.magnetic.hardIronWalk * magnetics.fieldStrength(settings)
        drift.walk(ErrorState.hardIron, count: 3, deviation: iron)
        drift.walk(ErrorState.stepScale, deviation: settings.steps.scaleWalk)
        drift.walk(ErrorState.velocityDelay, deviation: settings.gnss.velocityDelayWalk)
        drift.walk(ErrorState.pressureOffset, deviation: settings.height.offsetWalk)
    }

    private mutating func addDecays(_ drift: inout Drift) {
        let receiver = settings.gnss
        state.gnssError =
            state.gnssError
            * drift.decay(
                ErrorState.gnssError, seconds: receiver.correlationSeconds, deviations: gnss.errorDeviation)
        state.gnssVelocityError =
            state.gnssVelocityError
            * drift.decay(
                ErrorState.gnssVelocityError, seconds: velocityErrorSeconds, deviations: gnss.velocityErrorDeviation)
        state.magneticOffset *= drift.decay(
            ErrorState.magneticOffset, way: pending.way, length: settings.magnetic.offsetLength,
            deviation: fieldOffsetDeviation)
        state.walkingDirection *= drift.decay(
            ErrorState.walkingDirection, seconds: settings.steps.directionSeconds,
            deviation: settings.steps.directionDeviation)
    }
}
