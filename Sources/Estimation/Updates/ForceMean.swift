import Geometry

/// Mean of the specific force and of the turning over about a second: over whole steps a walk's own accelerations cancel.
struct ForceMean: Sendable {
    /// Integrals. Frame: ENU. Units: m/s, radians, seconds.
    private var impulse = Vector3.zero
    private var turn = 0.0
    private var span = 0.0

    /// Two steps. Unit: seconds.
    private static let length = 1.0

    /// Adds a change of velocity with gravity in it, and a rate about up. Frame: ENU. Units: m/s, rad/s, seconds.
    @inline(__always)
    mutating func add(_ impulse: Vector3, rateAboutUp: Double, over duration: Double) {
        self.impulse += impulse
        turn += rateAboutUp * duration
        span += duration
    }

    /// The means, once they are complete, and begins anew. Units: m/s², rad/s, seconds.
    mutating func take() -> (force: Vector3, rateAboutUp: Double, span: Double)? {
        guard span >= Self.length else { return nil }
        defer { self = ForceMean() }
        return (impulse / span, turn / span, span)
    }
}
