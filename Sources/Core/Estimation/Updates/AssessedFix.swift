import Geometry

/// A fix with the errors that the primary filter has detected in it; the hypotheses use the same result.
struct AssessedFix: Sendable {
    /// The fix with an assessed standard deviation of its velocity, and without the jumps of its position.
    var fix: LocalFix
    var velocityErrors = VelocityErrorMonitor.Verdict()
    var jumps = PositionJumps.Assessment()
}

extension ErrorStateKalmanFilter {
    /// Compares a fix with earlier fixes. The state must be at its epoch.
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

    /// The fix with the estimated scales applied to its reported accuracies.
    @inline(__always)
    func scaled(_ fix: LocalFix) -> LocalFix {
        var scaled = fix
        scaled.positionStandardDeviation.x *= gnss.positionScale.value
        scaled.positionStandardDeviation.y *= gnss.positionScale.value
        scaled.positionStandardDeviation.z *= gnss.heightScale.value
        return scaled
    }

    /// Motion according to the receiver, if it reports the accuracy of its velocity; otherwise motion according to the
    /// filter, with the speed added to the noise, because the filter's heading may be wrong.
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
