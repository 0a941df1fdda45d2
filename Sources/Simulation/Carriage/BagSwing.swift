#if canImport(Glibc)
    import Glibc
#endif

/// Swing of a bag that hangs from a shoulder: a damped pendulum about two axes, driven by the trunk.
///
/// `θ̈ + 2ζω₀·θ̇ + ω₀²·θ = −ẍ/L`, ω₀² = g/L, with the displacement x of the shoulder. The steady-state response to each
/// wave of the gait is used, so that the angles have exact derivatives.
struct BagSwing {
    /// Distance from the shoulder to the bag. Unit: metres.
    let length: Double
    private let forwards: [(part: GaitShape.Part, isStep: Bool)]
    private let sideways: [(part: GaitShape.Part, isStep: Bool)]
    private let twist: GaitShape.Part
    private let own: HeelStrike
    private let other: HeelStrike
    /// Phase of the stride at which the heel on the bag's side strikes. Unit: radians.
    private let strike: Double

    /// - Parameter strike: phase of the stride at which the heel on the side of the bag strikes. Unit: radians.
    init(shape: GaitShape, strike: Double, strideSeconds: Double, random: inout RandomSource) {
        let length = random.uniform(in: 0.25...0.9)
        // Friction at the body damps a bag; one that hangs free keeps swinging.
        let damping = random.uniform(in: 0.1...0.5)
        let natural = (9.81 / length).squareRoot()
        let stride = 2 * .pi / strideSeconds
        func answer(_ drive: GaitShape.Part, _ isStep: Bool) -> (GaitShape.Part, Bool) {
            let rate = isStep ? 2 * stride : stride
            let (real, imaginary) = (natural * natural - rate * rate, 2 * damping * natural * rate)
            let size = rate * rate * drive.amplitude / length / (real * real + imaginary * imaginary).squareRoot()
            return (GaitShape.Part(amplitude: size, phase: drive.phase - atan2(imaginary, real)), isStep)
        }
        func push(_ least: Double, _ most: Double) -> GaitShape.Part {
            GaitShape.Part(amplitude: random.uniform(in: least...most), phase: random.uniform(in: 0...(2 * .pi)))
        }
        // Hip and arm also push the bag once a stride.
        forwards = [answer(shape.along, true), answer(shape.alongLimp, false), answer(push(0.002, 0.03), false)]
        sideways = [answer(shape.right, false), answer(shape.rightOfStep, true), answer(push(0.002, 0.02), false)]
        twist = push(0.02, 0.12)
        let peak = random.uniform(in: 1...5)
        own = HeelStrike(peak: peak, strideSeconds: strideSeconds, random: &random)
        other = HeelStrike(peak: random.uniform(in: 0.3...1) * peak, strideSeconds: strideSeconds, random: &random)
        self.length = length
        self.strike = strike
    }

    /// Angles of the swing at a phase of the stride: yaw (clockwise), pitch and roll. Unit: radians.
    func angles(_ stride: Jet, strength: Jet) -> (yaw: Jet, pitch: Jet, roll: Jet) {
        func sum(_ waves: [(part: GaitShape.Part, isStep: Bool)]) -> Jet {
            waves.reduce(Jet(0)) { $0 + $1.part.amplitude * $1.part.wave(($1.isStep ? 2 : 1) * stride) }
        }
        return (
            twist.amplitude * (strength * twist.wave(stride)), strength * sum(forwards), strength * sum(sideways)
        )
    }

    /// Vertical displacement by the heel strikes. Unit: metres.
    func jolt(_ stride: Jet, strength: Jet) -> Jet {
        strength * (own.shift(stride - strike) + other.shift(stride - (strike + .pi)))
    }
}
