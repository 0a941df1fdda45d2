import Geometry
import Glibc

/// Samples of one pulse: harmonics for its pitch, and a burst of noise up to high frequencies, from which the outer
/// ears distinguish front from back and above from below.
///
/// It fades in and out smoothly: the envelope and its slope are 0 at both ends.
package enum PulseSound {
    /// Duration. Unit: seconds.
    package static let duration = 0.12
    /// Attack, time constant of the decay, and release. Unit: seconds.
    private static let rise = 0.008
    private static let decay = 0.030
    private static let fall = 0.030
    /// Lowest tone of a pulse. It is a fifth higher when the wearer looks at the target. Unit: hertz.
    private static func pitch(_ pulse: BeaconFrame.Pulse) -> Double { pulse == .ahead ? 660 : 440 }
    /// Share of noise mixed with the harmonics. It is lower once the direction has been found.
    private static func noise(_ pulse: BeaconFrame.Pulse) -> Double { pulse == .ahead ? 0.35 : 0.7 }
    private static let harmonics = 6
    /// RMS over the duration, relative to full scale. It is equal for all pulses, so that sources are equally loud. The
    /// peaks at the beginning are ten times as high.
    private static let level = 0.06
    /// Maximum sample.
    private static let peak = 0.95

    /// Returns mono samples.
    ///
    /// - Parameters:
    ///   - source: index of the source: only the first has the tone, and each has its own noise.
    ///   - rate: sampling rate. Unit: hertz.
    package static func samples(_ pulse: BeaconFrame.Pulse, source: Int, rate: Int) -> [Int16] {
        var random = RandomSource(seed: 1, stream: UInt64(source))
        let phases = (1...harmonics).map { _ in random.uniform(in: 0...(2 * .pi)) }
        let base = pitch(pulse)
        // Equal tones from several sides would be heard as a single source between them.
        let share = source == 0 ? noise(pulse) : 1
        let shape = (0..<Int(duration * Double(rate))).map { index in
            let time = Double(index) / Double(rate)
            let tone = zip(1..., phases).reduce(0.0) { sum, harmonic in
                sum + sin(2 * .pi * base * Double(harmonic.0) * time + harmonic.1) / Double(harmonic.0)
            }
            return envelope(time) * ((1 - share) * tone + share * random.normal())
        }
        let power = shape.reduce(1e-9) { $0 + $1 * $1 } / Double(max(shape.count, 1))
        return shape.map { Int16((min(max($0 / power.squareRoot() * level, -peak), peak) * 32767).rounded()) }
    }

    /// Returns the amplitude at a time: half a cosine up, an exponential decay, half a cosine down.
    private static func envelope(_ time: Double) -> Double {
        let up = time < rise ? 0.5 - 0.5 * cos(.pi * time / rise) : 1
        let left = duration - time
        let down = left < fall ? 0.5 - 0.5 * cos(.pi * left / fall) : 1
        return up * down * exp(-time / decay)
    }
}
