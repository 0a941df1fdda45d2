import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Propagation of the states that do not move with the motion: they walk, or decay as first-order Gauss–Markov processes
/// do, with time constants of ten seconds and more.
///
/// Their transition is diagonal and leaves the motion alone, so the two may be applied one after the other at rates of
/// their own, and the whole time counts.
extension ErrorStateKalmanFilter {
    /// Within it none of them changes by more than a hundredth. Unit: seconds.
    package static let slowInterval = 0.0975

    /// What the passing time does to each state.
    private struct Drift {
        /// Of the value, and of the rows and columns of the covariance.
        var factors = InlineArray<29, Double>(repeating: 1)
        /// Added to the variance.
        var growth = InlineArray<29, Double>(repeating: 0)
        /// Unit: seconds.
        let span: Double

        init(over span: Double) { self.span = span }

        /// - Parameter deviation: of the random walk, by root second.
        mutating func walk(_ offset: Int, count: Int = 1, deviation: Double) {
            for i in offset..<(offset + count) { growth[i] = deviation * deviation * span }
        }

        /// Returns the factor by which the value decays.
        ///
        /// - Parameter deviations: the stationary ones.
        mutating func decay(_ offset: Int, seconds: Double, deviations: Vector3) -> Double {
            let factor = decay(offset, seconds: seconds, deviation: deviations.x)
            _ = decay(offset + 1, factor: factor, deviation: deviations.y)
            return decay(offset + 2, factor: factor, deviation: deviations.z)
        }

        mutating func decay(_ index: Int, seconds: Double, deviation: Double) -> Double {
            decay(index, factor: exp(-span / seconds), deviation: deviation)
        }

        /// The same of a process along the way. Units: metres.
        mutating func decay(_ index: Int, way: Double, length: Double, deviation: Double) -> Double {
            decay(index, factor: exp(-way / length), deviation: deviation)
        }

        private mutating func decay(_ index: Int, factor: Double, deviation: Double) -> Double {
            factors[index] = factor
            growth[index] = (1 - factor * factor) * deviation * deviation
            return factor
        }
    }

    /// Decays and walks of all but the motion's states.
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

    /// Way over which the local direction of the field changes: what is slower than the velocity's own error is rest.
    private mutating func measureWay(over span: Double) {
        let magnetic = settings.magnetic
        let speed = isStepping ? pendingWay.speed : state.velocity.horizontalNorm
        pending.way = speed > magnetic.leastWaySpeed ? speed * span : 0
        if state.velocity.norm > magnetic.leastHandSpeed { magnetics.add(handWay: state.velocity.norm * span) }
    }

    /// Standard deviation of the field's local direction: iron of one strength turns a steep field more. Unit: radians.
    @inline(__always)
    var fieldOffsetDeviation: Double {
        guard let field = magnetics.calibrator else { return settings.magnetic.offsetDeviation }
        let steepness = Self.usualHorizontalShare * field.strength / max(1e-9, field.horizontal)
        return settings.magnetic.offsetDeviation * max(Self.leastSteepness, min(Self.largestSteepness, steepness))
    }

    /// Horizontal part of the field to which `offsetDeviation` refers: that of middle latitudes.
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
