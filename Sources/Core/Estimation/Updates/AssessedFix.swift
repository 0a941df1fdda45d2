import Geometry

/// A fix with what the primary filter finds of its errors; the hypotheses take it as well.
struct AssessedFix: Sendable {
    /// With the standard deviation that its velocity deserves, and without the jumps of its position.
    var fix: LocalFix
    var velocityErrors = VelocityErrorMonitor.Verdict()
    var jumps = PositionJumps.Assessment()
}

extension ErrorStateKalmanFilter {
    /// Compares a fix with those before. The state must be at its epoch.
    mutating func assess(_ measured: LocalFix) -> AssessedFix {
        var assessed = AssessedFix(fix: measured)
        if settings.parts.contains(.positionJumps), !isWeak(scaled(measured)) {
            assessed.jumps = positionJumps.assess(
                measured, scale: gnss.positionScale.value, motion: motion(at: measured), settings: settings.gnss)
            assessed.fix.position = measured.position - assessed.jumps.offset
        }
        assessed.fix = assessVelocity(of: assessed.fix)
        if settings.parts.contains(.velocityErrorMonitor) {
            assessed.velocityErrors = velocityErrors.note(
                assessed.fix, delay: state.velocityDelay, settings: settings.gnss)
        }
        return assessed
    }

    /// The fix with the accuracies that its receiver has shown.
    @inline(__always)
    func scaled(_ fix: LocalFix) -> LocalFix {
        var scaled = fix
        scaled.positionStandardDeviation.x *= gnss.positionScale.value
        scaled.positionStandardDeviation.y *= gnss.positionScale.value
        scaled.positionStandardDeviation.z *= gnss.heightScale.value
        return scaled
    }

    /// Motion by the receiver where it says how good its velocity is, else by the filter, whose heading may be wrong:
    /// the whole speed is then a part of the noise.
    private mutating func motion(at fix: LocalFix) -> PositionJumps.Motion {
        if let velocity = fix.velocity, fix.reportsVelocityAccuracy {
            let standardDeviation = fix.velocityStandardDeviation
            return PositionJumps.Motion(velocity: velocity, variance: standardDeviation * standardDeviation)
        }
        let (v, speed) = (ErrorState.velocity, state.velocity.horizontalNorm)
        let variance = max(covariance.rows[v][v], covariance.rows[v + 1][v + 1])
        return PositionJumps.Motion(velocity: state.velocity, variance: variance + speed * speed)
    }
}
