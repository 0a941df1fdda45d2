import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// The height of the wearer's eyes without the bobbing of the walk: what is placed by it must not bob along.
struct EyeLevel {
    private var level: Double?
    private var generation: UInt32?
    private var time: BootTime?

    /// Steps come twice a second, and slopes and stairs are still followed to a few decimetres. Unit: seconds.
    private static let smoothing = 1.0
    /// A wearer who is so far from it has not walked there. Unit: metres.
    private static let leap = 3.0

    /// Frame: scene. Unit: metres.
    mutating func update(height: Double, generation: UInt32, at now: BootTime) -> Double {
        guard let level, let time, self.generation == generation, (level - height).magnitude < Self.leap else {
            (self.level, self.generation, self.time) = (height, generation, now)
            return height
        }
        let passed = max(0, now.seconds(since: time))
        let next = level + (1 - exp(-passed / Self.smoothing)) * (height - level)
        (self.level, self.time) = (next, now)
        return next
    }
}
