import Geometry

/// Counts steps by how the specific force rises above its mean and falls below; good enough to say how far one has come.
struct StepCounter: Hashable, Sendable {
    private(set) var count = 0
    private var smooth: Double?
    private var isHigh = false
    private var last: Double?

    /// Takes out what is faster than a step. Unit: seconds.
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
