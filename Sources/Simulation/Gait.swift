/// What walking adds to the way: two steps a stride, strong in proportion to the speed.
struct Gait {
    /// Displacements. Unit: metres.
    let along: Jet
    let right: Jet
    let up: Jet
    /// Angles. Unit: radians.
    let yaw: Jet
    let pitch: Jet
    let roll: Jet
    /// 1 at rest, 0 at the usual pace.
    let stillness: Jet

    /// Unit: metres.
    private static let stepLength = 0.72
    /// At which the amplitudes below are reached. Unit: m/s.
    private static let usualSpeed = 1.3

    init(_ progress: WalkPace.Progress) {
        let strength = (1 / Self.usualSpeed) * progress.speed
        let step = (2 * .pi / Self.stepLength) * progress.distance
        let stride = 0.5 * step
        along = 0.0115 * (strength * step.sine)
        right = 0.02 * (strength * stride.sine)
        // The second harmonic is the impact of the heel.
        up = strength * (0.024 * (step + 0.5).sine + 0.003 * (2 * step + 1.1).sine)
        yaw = 0.026 * (strength * stride.sine)
        pitch = 0.021 * (strength * step.sine)
        roll = 0.021 * (strength * (stride + 1).sine)
        stillness = Jet(1) - strength
    }
}
