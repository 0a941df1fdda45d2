/// Swing of a thigh over a stride, with the shocks of its own heel and, weaker, of the other one.
struct ThighSwing {
    /// Phase of the stride at which the heel of this leg strikes. Unit: radians.
    private let strike: Double
    private let amplitude: Double
    /// Rotation about the thigh's own axis, once a stride.
    private let twist: GaitShape.Part
    /// Rotation to the side, once a stride.
    private let side: GaitShape.Part
    private let own: HeelStrike
    private let other: HeelStrike

    /// Harmonics of the thigh's angle from the vertical, forwards, from one strike of its heel to the next.
    /// Units: degrees; the stride's phase.
    ///
    /// A Fourier sum through angles at tenths of the stride: 22, 19, 11, 1, −8, −14, −9, 7, 20 and 25°. These values
    /// are synthetic, with the published properties of a natural cadence: a range of about 40°, backwards for six
    /// tenths of the stride and forwards for four. Source of range and shares: Winter, "Biomechanics and motor control
    /// of human movement", 4th edition, 2009.
    private static let harmonics: [(cosine: Double, sine: Double)] = [(18.5, -3.4), (-3.0, -1.7), (-0.3, 0.8)]
    private static let mean = 7.4

    /// - Parameter strike: phase of the stride at which the heel strikes. Unit: radians.
    init(strike: Double, strideSeconds: Double, random: inout RandomSource) {
        self.strike = strike
        amplitude = random.uniform(in: 0.75...1.25)
        twist = GaitShape.Part(
            amplitude: random.uniform(in: 0.03...0.1), phase: random.uniform(in: 0...(2 * .pi)))
        side = GaitShape.Part(
            amplitude: random.uniform(in: 0.03...0.08), phase: random.uniform(in: 0...(2 * .pi)))
        let peak = random.uniform(in: 3...10)
        own = HeelStrike(peak: peak, strideSeconds: strideSeconds, random: &random)
        other = HeelStrike(peak: random.uniform(in: 0.2...0.6) * peak, strideSeconds: strideSeconds, random: &random)
    }

    /// Angles of the thigh relative to the trunk: to the right (clockwise), forwards, to the right at its lower end.
    func angles(_ stride: Jet, strength: Jet) -> (yaw: Jet, pitch: Jet, roll: Jet) {
        let phase = stride - strike
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

    /// Vertical displacement by the heel strikes. Unit: metres.
    func jolt(_ stride: Jet, strength: Jet) -> Jet {
        strength * (own.shift(stride - strike) + other.shift(stride - (strike + .pi)))
    }
}
