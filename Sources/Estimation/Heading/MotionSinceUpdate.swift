import Geometry

/// Motion and detections of the primary filter since its hypotheses last followed it.
struct MotionSinceUpdate: Sendable {
    /// Step of the wearer, with the motion up to it.
    struct SeenStep: Sendable {
        /// Step, in the ENU frame of the primary filter.
        var step: Step
        /// Integral of the specific force up to the step. Frame: body at the start of the motion. Unit: m/s.
        var impulse: Vector3
        /// Time up to the step. Unit: seconds.
        var duration: Double
    }

    var motion = SummedMotion()
    private(set) var seen: SeenStep?
    /// Newest height by air pressure.
    var height: PressureHeight?

    mutating func note(_ step: Step) {
        seen = SeenStep(step: step, impulse: motion.impulse, duration: motion.duration)
    }
}
