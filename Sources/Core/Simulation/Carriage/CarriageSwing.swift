import Geometry
import Glibc

/// Swing of a thigh over a stride, with the shocks from its own heel and the weaker shocks from the other heel.
struct ThighSwing {
    private let amplitude: Double
    /// Rotation about the thigh's own axis, once a stride.
    private let twist: GaitShape.Part
    /// Rotation to the side, once a stride.
    private let side: GaitShape.Part
    private let heels: HeelStrikes

    /// Harmonics of the thigh's forward angle from the vertical, over the phase of a stride from one strike of its heel
    /// to the next. Unit: degrees.
    ///
    /// A Fourier sum of the angles 22, 19, 11, 1, −8, −14, −9, 7, 20 and 25° at tenths of the stride. These values are
    /// synthetic, but have the published properties of a natural cadence: the range is about 40°, and the thigh moves
    /// backwards for six tenths of the stride and forwards for four. Source: Winter, "Biomechanics and motor control of
    /// human movement", 4th edition, 2009.
    private static let harmonics: [(cosine: Double, sine: Double)] = [(18.5, -3.4), (-3.0, -1.7), (-0.3, 0.8)]
    private static let mean = 7.4

    /// - Parameter strike: phase of the stride at which the heel strikes. Unit: radians.
    init(strike: Double, strideSeconds: Double, random: inout RandomSource) {
        amplitude = random.uniform(in: 0.75...1.25)
        twist = GaitShape.Part(
            amplitude: random.uniform(in: 0.03...0.1), phase: random.uniform(in: 0...(2 * .pi)))
        side = GaitShape.Part(
            amplitude: random.uniform(in: 0.03...0.08), phase: random.uniform(in: 0...(2 * .pi)))
        heels = HeelStrikes(
            at: strike, peaks: 3...10, otherShares: 0.2...0.6, strideSeconds: strideSeconds, random: &random)
    }

    /// Angles of the thigh relative to the trunk: yaw (clockwise), pitch (forwards), and roll (lower end to the right).
    func angles(_ stride: Jet, strength: Jet) -> (yaw: Jet, pitch: Jet, roll: Jet) {
        let phase = stride - heels.strike
        var pitch = Jet(Self.mean)
        for (index, harmonic) in Self.harmonics.enumerated() {
            let cycle = Double(index + 1) * phase
            pitch = pitch + harmonic.cosine * cycle.cosine + harmonic.sine * cycle.sine
        }
        return (
            twist.amplitude * (strength * twist.wave(stride)), (amplitude * .pi / 180) * (strength * pitch),
            side.amplitude * (strength * side.wave(stride))
        )
    }

    /// Vertical displacement that the heel strikes cause. Unit: metres.
    func jolt(_ stride: Jet, strength: Jet) -> Jet { heels.jolt(stride, strength: strength) }
}

/// Swing of a bag that hangs from a shoulder: a damped pendulum about two axes, driven by the trunk.
///
/// The angle θ follows `θ̈ + 2ζω₀·θ̇ + ω₀²·θ = −ẍ/L`, where ω₀² = g/L and x is the displacement of the shoulder. The
/// steady-state response to each wave of the gait is used, so that the angles have exact derivatives.
struct BagSwing {
    /// Distance from the shoulder to the bag. Unit: metres.
    let length: Double
    private let forwards: [(part: GaitShape.Part, isStep: Bool)]
    private let sideways: [(part: GaitShape.Part, isStep: Bool)]
    private let twist: GaitShape.Part
    private let heels: HeelStrikes

    /// - Parameter strike: phase of the stride at which the heel on the side of the bag strikes. Unit: radians.
    init(shape: GaitShape, strike: Double, strideSeconds: Double, random: inout RandomSource) {
        let length = random.uniform(in: 0.25...0.9)
        // A bag is damped because it rubs against the body; a bag that hangs free keeps swinging.
        let damping = random.uniform(in: 0.1...0.5)
        let natural = (9.81 / length).squareRoot()
        let stride = 2 * .pi / strideSeconds
        func answer(_ drive: GaitShape.Part, _ isStep: Bool) -> (GaitShape.Part, Bool) {
            let rate = isStep ? 2 * stride : stride
            let (real, imaginary) = (natural * natural - rate * rate, 2 * damping * natural * rate)
            let size = rate * rate * drive.amplitude / length / (real * real + imaginary * imaginary).squareRoot()
            return (GaitShape.Part(amplitude: size, phase: drive.phase - atan2(imaginary, real)), isStep)
        }
        func push(_ minimum: Double, _ maximum: Double) -> GaitShape.Part {
            GaitShape.Part(amplitude: random.uniform(in: minimum...maximum), phase: random.uniform(in: 0...(2 * .pi)))
        }
        // Hip and arm also push the bag once a stride.
        forwards = [answer(shape.along, true), answer(shape.alongLimp, false), answer(push(0.002, 0.03), false)]
        sideways = [answer(shape.right, false), answer(shape.rightOfStep, true), answer(push(0.002, 0.02), false)]
        twist = push(0.02, 0.12)
        heels = HeelStrikes(
            at: strike, peaks: 1...5, otherShares: 0.3...1, strideSeconds: strideSeconds, random: &random)
        self.length = length
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

    /// Vertical displacement that the heel strikes cause. Unit: metres.
    func jolt(_ stride: Jet, strength: Jet) -> Jet { heels.jolt(stride, strength: strength) }
}

/// Shocks of both heels over a stride. The shock of the heel on the side of the board is the stronger one.
private struct HeelStrikes {
    /// Phase of the stride at which the heel on the side of the board strikes. Unit: radians.
    let strike: Double
    private let own: HeelStrike
    private let other: HeelStrike

    /// - Parameters:
    ///   - peaks: range of the peak acceleration from the heel on the board's side. Unit: m/s².
    ///   - otherShares: range of the other heel's peak as a fraction of that peak.
    init(
        at strike: Double, peaks: ClosedRange<Double>, otherShares: ClosedRange<Double>, strideSeconds: Double,
        random: inout RandomSource
    ) {
        self.strike = strike
        let peak = random.uniform(in: peaks)
        own = HeelStrike(peak: peak, strideSeconds: strideSeconds, random: &random)
        other = HeelStrike(peak: random.uniform(in: otherShares) * peak, strideSeconds: strideSeconds, random: &random)
    }

    func jolt(_ stride: Jet, strength: Jet) -> Jet {
        strength * (own.shift(stride - strike) + other.shift(stride - (strike + .pi)))
    }
}

/// Shock of a heel strike: a burst of oscillation once a stride, smooth in all derivatives.
///
/// `exp(κ·(cos φ − 1))·sin(n·φ)`, where φ is the phase since the strike: a von Mises window over n oscillations a
/// stride.
struct HeelStrike {
    /// Amplitude of the displacement. Unit: metres.
    let amplitude: Double
    /// Number n of oscillations a stride.
    let periods: Double
    /// Sharpness κ of the window.
    let sharpness: Double

    /// Makes a random shock. Above the knee, a shock oscillates at 8 to 13 Hz and decays within 0.1 s.
    ///
    /// Source: Lafortune, Lake, Hennig, "Differential shock transmission response of the human body to impact severity
    /// and lower limb posture", Journal of Biomechanics 29(12), 1996. The shock at the hip is a fraction of the shock
    /// at the shank.
    ///
    /// - Parameter strideSeconds: duration of a stride at the usual pace.
    init(peak: Double, strideSeconds: Double, random: inout RandomSource) {
        periods = (random.uniform(in: 8...13) * strideSeconds).rounded()
        sharpness = random.uniform(in: 6...14)
        let rate = 2 * .pi * periods / strideSeconds
        amplitude = peak / (rate * rate)
    }

    /// Displacement at a phase, which is counted from the strike. Units: radians, metres.
    func shift(_ phase: Jet) -> Jet {
        amplitude * ((sharpness * (phase.cosine - 1)).exponential * (periods * phase).sine)
    }
}
