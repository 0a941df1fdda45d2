import Geometry

/// What the carrier's sensors have told since its hypotheses last followed it.
struct FeltMotion: Sendable {
    /// A step of the wearer, with the motion up to it.
    struct SeenStep: Sendable {
        /// Frame: ENU of the carrier.
        var step: Step
        /// Frame: body at the start of the motion. Unit: m/s.
        var impulse: Vector3
        /// Unit: seconds.
        var duration: Double
    }

    var motion = SummedMotion()
    private(set) var seen: SeenStep?
    /// The newest by air pressure.
    var height: PressureHeight?

    mutating func note(_ step: Step) {
        seen = SeenStep(step: step, impulse: motion.impulse, duration: motion.duration)
    }
}
