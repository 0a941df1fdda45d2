import Geometry
import Measurements

#if canImport(Glibc)
    import Glibc
#endif

/// Low-pass filtered height of the wearer's eyes, without the vertical motion of walking, for placements relative to
/// it.
struct EyeLevel {
    private var level: Double?
    private var generation: UInt32?
    private var time: BootTime?

    /// Time constant: steps come twice a second, and slopes and stairs are followed to a few decimetres. Unit: seconds.
    private static let smoothing = 1.0
    /// Difference that is a jump rather than walking, after which the filter starts again. Unit: metres.
    private static let jump = 3.0

    /// Filtered height after a new one. Frame: scene. Unit: metres.
    mutating func update(height: Double, generation: UInt32, at now: BootTime) -> Double {
        guard let level, let time, self.generation == generation, (level - height).magnitude < Self.jump else {
            (self.level, self.generation, self.time) = (height, generation, now)
            return height
        }
        let passed = max(0, now.seconds(since: time))
        let next = level + (1 - exp(-passed / Self.smoothing)) * (height - level)
        (self.level, self.time) = (next, now)
        return next
    }
}
