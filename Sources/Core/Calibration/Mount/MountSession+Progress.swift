import Geometry

extension MountSession {
    package var progress: CalibrationProgress {
        let estimate = estimate(walks: walks)
        let isDone = isComplete
        var progress = CalibrationProgress(
            instruction: instruction(isDone: isDone), fraction: isDone ? 1 : fraction, seconds: seconds)
        progress.predictedHeadingError = estimate?.headingStandardDeviation
        progress.predictedTiltError = estimate.map { $0.tiltStandardDeviation * 2.0.squareRoot() }
        progress.direction = latestUp
        progress.poses = hasStood ? stands.force.normalized.map { [$0] } ?? [] : []
        return progress
    }

    private func instruction(isDone: Bool) -> CalibrationProgress.Instruction {
        if samples == 0 { return .waitForSamples }
        if isDone { return .done }
        if isWalking { return isStopping || walkedByNow >= MountSettings.askedDistance ? .holdStill : .walkStraight }
        if isStanding { return .walkStraight }
        return isSettling || samples < 100 ? .holdStill : .movesTooMuch
    }

    /// Progress from 0 to 1: one fifth for standing, three fifths for the walk, one fifth for the stop. After the first
    /// walk, progress starts at one half.
    private var fraction: Double {
        let done = walks.isEmpty ? 0 : 0.5
        let now: Double
        if isWalking {
            now = 0.2 + 0.6 * min(1, walkedByNow / MountSettings.askedDistance)
        } else {
            now = isStanding ? 0.2 : 0.2 * min(1, settledSeconds / MountSettings.standSeconds)
        }
        return done + (1 - done) * now
    }
}

/// Counts steps by threshold crossings of the specific force. The count is accurate enough for an approximate distance.
struct StepCounter: Hashable, Sendable {
    private(set) var count = 0
    private var smooth: Double?
    private var isHigh = false
    private var last: Double?

    /// Time constant of the low-pass filter that removes motion faster than a step. Unit: seconds.
    private static let smoothing = 0.06

    mutating func see(_ pair: InertialPair, isWalking: Bool) {
        let interval = min(0.1, max(0, pair.seconds - (last ?? pair.seconds)))
        last = pair.seconds
        let force = pair.force.norm
        let before = smooth ?? force
        let now = before + (force - before) * interval / (Self.smoothing + interval)
        smooth = now
        let gravity = 9.8
        if isHigh, now < gravity - MountSettings.stepForce {
            isHigh = false
        } else if !isHigh, now > gravity + MountSettings.stepForce {
            isHigh = true
            if isWalking { count += 1 }
        }
    }
}
