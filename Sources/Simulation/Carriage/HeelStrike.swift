/// Shock of a heel strike: a burst of oscillation once a stride, smooth in all derivatives.
///
/// `exp(κ·(cos φ − 1))·sin(n·φ)` with the phase φ since the strike: a von Mises window over n oscillations a stride.
struct HeelStrike {
    /// Amplitude of the displacement. Unit: metres.
    let amplitude: Double
    /// Number n of oscillations a stride.
    let periods: Double
    /// Sharpness κ of the window.
    let sharpness: Double

    /// A random shock. Impacts above the knee oscillate at 8 to 13 Hz and decay within 0.1 s.
    ///
    /// Source: Lafortune, Lake, Hennig, "Differential shock transmission response of the human body to impact severity
    /// and lower limb posture", Journal of Biomechanics 29(12), 1996: shock at the hip is a fraction of that at the
    /// shank.
    ///
    /// - Parameters:
    ///   - peak: largest acceleration at the usual pace. Unit: m/s².
    ///   - strideSeconds: duration of a stride at that pace.
    init(peak: Double, strideSeconds: Double, random: inout RandomSource) {
        periods = (random.uniform(in: 8...13) * strideSeconds).rounded()
        sharpness = random.uniform(in: 6...14)
        let rate = 2 * .pi * periods / strideSeconds
        amplitude = peak / (rate * rate)
    }

    /// Displacement at a phase of the stride since the strike. Units: radians, metres.
    func shift(_ phase: Jet) -> Jet {
        amplitude * ((sharpness * (phase.cosine - 1)).exponential * (periods * phase).sine)
    }
}
