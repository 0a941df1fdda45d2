import Glibc

/// Seeded pseudorandom number generator with the same sequence on every platform.
///
/// Source: xoshiro256**, Blackman and Vigna, 2018, seeded by SplitMix64 as its authors advise.
public struct RandomSource: RandomNumberGenerator, Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)
    private var spare: Double?

    /// Makes the generator for one stream of a seed. The streams of a seed are independent, so that one sensor's errors
    /// do not depend on how often another sensor is read.
    public init(seed: UInt64, stream: UInt64 = 0) {
        var streams = SplitMix64(state: stream)
        var words = SplitMix64(state: seed ^ (stream == 0 ? 0 : streams.next()))
        state = (words.next(), words.next(), words.next(), words.next())
    }

    /// 64 random bits.
    public mutating func next() -> UInt64 {
        func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 { (word << count) | (word >> (64 - count)) }
        let result = rotated(state.1 &* 5, 7) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = rotated(state.3, 45)
        return result
    }

    /// Uniform deviate in [0, 1), in steps of 2⁻⁵³.
    public mutating func uniform() -> Double {
        let word: UInt64 = next()
        return Double(word >> 11) * 0x1p-53
    }

    /// Uniform deviate in a range.
    public mutating func uniform(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + uniform() * (range.upperBound - range.lowerBound)
    }

    /// Standard normal deviate. Source: Marsaglia's polar method.
    public mutating func normal() -> Double {
        if let deviate = spare {
            spare = nil
            return deviate
        }
        while true {
            let first = 2 * uniform() - 1
            let second = 2 * uniform() - 1
            let square = first * first + second * second
            guard square > 0, square < 1 else { continue }
            let factor = (-2 * log(square) / square).squareRoot()
            spare = second * factor
            return first * factor
        }
    }
}

/// Generates the initial state of another generator. Source: Steele, Lea, Flood, 2014; constants by Vigna.
struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
