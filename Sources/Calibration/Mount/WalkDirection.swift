import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// What one walk tells of where the body's front is.
public struct WalkDirection: Hashable, Sendable {
    /// Of length 1, level. Frame: source axes as they stood before the walk.
    public var ahead: Vector3
    /// Of its yaw. Unit: radians².
    public var variance: Double
    /// Of the direction from second to second about `ahead`, mean square. Unit: radians².
    public var scatter: Double
    /// Unit: metres.
    public var distance: Double
    /// Before and after it.
    public var stand: Stand
}

/// Why a movement between two stands is no walk to calibrate by.
public enum WalkFault: Hashable, Sendable {
    case tooShort(metres: Double)
    case turned(radians: Double)
    case crooked
    /// Integration and standing disagree.
    case inconsistent
    /// No stop was seen for longer than anybody walks 10 m.
    case endless
    /// Samples were missing on the way.
    case interrupted
}

extension WalkTrack {
    /// Where the front is, or what is wrong with the walk.
    func direction(isCalibrated: Bool) -> Result<WalkDirection, Fault> {
        typealias Settings = MountSettings
        let isOpen = misclosure == nil
        let distance = way.norm
        let asked = isOpen ? Settings.openDistance : Settings.leastDistance
        guard length.isFinite, levelMisclosure < Settings.largestLevelMisclosure,
            (misclosure?.norm ?? 0) < Settings.largestMisclosure + Settings.largestMisclosurePerSecond * seconds,
            tilt < Settings.largestTilt,
            slip < Settings.largestSlip
        else { return .failure(Fault(.inconsistent)) }
        guard length >= asked else { return .failure(Fault(.tooShort(metres: length))) }
        guard turn < Settings.largestTurn else { return .failure(Fault(.turned(radians: turn))) }
        guard displacement.norm > Settings.leastStraightness * length, distance > Settings.leastStraightness * length,
            let level = way.normalized
        else { return .failure(Fault(.crooked)) }
        return .success(
            WalkDirection(
                ahead: rotationLFromStart.inverse * level,
                variance: variance(towards: level, isCalibrated: isCalibrated), scatter: scatter(about: level).square,
                distance: distance, stand: stand))
    }

    struct Fault: Error, Hashable {
        var fault: WalkFault
        init(_ fault: WalkFault) { self.fault = fault }
    }

    private func variance(towards ahead: Vector3, isCalibrated: Bool) -> Double {
        typealias Settings = MountSettings
        let skew = isCalibrated ? Settings.calibratedSkew : Settings.accelerometerSkew
        // An error of the gyroscope's bias about the vertical turns the body by half of its whole, on average.
        let yaw = Settings.standingYaw / max(stand.seconds, 1) * seconds / 2
        let drift = driftVariance
        let (square, seconds) = scatter(about: ahead)
        let looking = square / max(1, seconds / Settings.lookingSeconds)
        return Settings.facing * Settings.facing + skew * skew + yaw * yaw + drift + looking
    }

    /// Of the direction, by what the integration drifts across the way. Unit: radians².
    private var driftVariance: Double {
        let distance = max(way.norm, 1)
        guard let misclosure else {
            let across = MountSettings.openAcceleration * seconds * seconds / 2 / distance
            return across * across
        }
        // Levels that err by δ₀ and δ₁ give the acceleration an error that goes from g·δ₀ to g·δ₁. Of it the mean shows in the
        // velocity ΔvT that is taken out, and g·(δ₁ − δ₀)·T²/12 stays across the way. With independent δ of variance σ² the
        // variance of the latter is g²σ²·T⁴/72, that of each part of ΔvT is g²σ²·T²/2: seen from both, half and half.
        let (acceleration, square) = (9.8 * levelDeviation, seconds * seconds)
        let expected = acceleration * acceleration * square * square / 72
        let seen = misclosure.squaredNorm / 2 * square / 36
        return (expected + seen) / 2 / (distance * distance)
    }

    /// How the direction goes to and fro from second to second: mean square, over how many.
    private func scatter(about ahead: Vector3) -> (square: Double, seconds: Double) {
        var (sum, seconds) = (0.0, 0.0)
        for way in ways where way.norm > 0.5 {
            let across = ahead.x * way.y - ahead.y * way.x
            let angle = atan2(across, ahead.dot(way))
            sum += angle * angle
            seconds += 1
        }
        return (sum / max(1, seconds), seconds)
    }
}
