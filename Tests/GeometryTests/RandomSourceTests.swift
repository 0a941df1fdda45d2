import Geometry
import Testing

@Suite("Random source")
struct RandomSourceTests {
    @Test("the published generator, word by word")
    func published() {
        // xoshiro256** from the state that SplitMix64 makes of the seed 0; both recurrences are written again below.
        var random = RandomSource(seed: 0)
        var reference = Reference(seed: 0)
        for _ in 0..<1000 {
            let word: UInt64 = random.next()
            #expect(word == reference.next())
        }
        // SplitMix64's first word for the seed 1234567 is published with its reference code.
        #expect(Reference.splitMix(1_234_567) == 6_457_827_717_110_365_317)
    }

    /// The generator written again from its definition, over an array.
    struct Reference {
        var words: [UInt64]

        static func splitMix(_ state: UInt64) -> UInt64 {
            var z = state &+ 0x9E37_79B9_7F4A_7C15
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }

        init(seed: UInt64) {
            words = (0..<4).map { Self.splitMix(seed &+ UInt64($0) &* 0x9E37_79B9_7F4A_7C15) }
        }

        mutating func next() -> UInt64 {
            let product = words[1] &* 5
            let result = ((product << 7) | (product >> 57)) &* 9
            let shifted = words[1] << 17
            words[2] ^= words[0]
            words[3] ^= words[1]
            words[1] ^= words[2]
            words[0] ^= words[3]
            words[2] ^= shifted
            words[3] = (words[3] << 45) | (words[3] >> 19)
            return result
        }
    }

    @Test("streams of one seed differ and do not move together")
    func streams() {
        var first = RandomSource(seed: 7, stream: 1)
        var second = RandomSource(seed: 7, stream: 2)
        var sum = 0.0
        let count = 20_000
        for _ in 0..<count { sum += first.normal() * second.normal() }
        // The mean of n products of independent normals has the deviation 1/√n; five of them.
        #expect(abs(sum / Double(count)) < 5 / Double(count).squareRoot())
    }

    @Test("normal deviates have the moments of the normal distribution", arguments: [1, 2, 3] as [UInt64])
    func normal(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var moments = (0.0, 0.0, 0.0, 0.0)
        let count = 200_000.0
        for _ in 0..<Int(count) {
            let x = random.normal()
            moments.0 += x / count
            moments.1 += x * x / count
            moments.2 += x * x * x / count
            moments.3 += x * x * x * x / count
        }
        // Deviations of the sample moments: √(1, 2, 15, 96)/√n; five of them.
        #expect(abs(moments.0) < 5 / count.squareRoot())
        #expect(abs(moments.1 - 1) < 5 * (2 / count).squareRoot())
        #expect(abs(moments.2) < 5 * (15 / count).squareRoot())
        #expect(abs(moments.3 - 3) < 5 * (96 / count).squareRoot())
    }

    @Test("uniform deviates stay in their range")
    func uniform() {
        var random = RandomSource(seed: 4)
        var least = 1.0
        var most = 0.0
        for _ in 0..<10_000 {
            let x = random.uniform()
            least = min(least, x)
            most = max(most, x)
        }
        #expect(least >= 0 && least < 0.001)
        #expect(most < 1 && most > 0.999)
    }
}
