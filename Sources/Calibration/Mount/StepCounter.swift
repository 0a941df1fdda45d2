import Geometry

/// Step counter by threshold crossings of the specific force, accurate enough for an approximate distance.
struct StepCounter: Hashable, Sendable {
    private(set) var count = 0
    private var smooth: Double?
    private var isHigh = false
    private var last: Double?

    /// Time constant of the low-pass that removes motion faster than a step. Unit: seconds.
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
