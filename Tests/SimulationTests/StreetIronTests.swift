import Geometry
import Glibc
import Simulation
import Testing

@Suite("Street iron")
struct StreetIronTests {
    private static let round = 860.0

    private func street(_ seed: UInt64, standardDeviation: Double = 1.2) -> StreetIron {
        StreetIron(
            standardDeviation: standardDeviation, correlationMetres: 25, roundMetres: Self.round,
            random: RandomSource(seed: seed, stream: 7))
    }

    /// Mean product of the fields at two places some way apart, per axis, over many streets. Unit: µT².
    private func covariance(metresApart: Double) -> Double {
        var sum = 0.0
        for seed in 0..<400 as Range<UInt64> {
            let street = street(seed)
            for place in stride(from: 0, to: Self.round, by: 86) {
                sum += street.fieldENU(at: place).dot(street.fieldENU(at: place + metresApart))
            }
        }
        return sum / (3 * 400 * 10)
    }

    @Test("has the standard deviation that was asked for, and is correlated over 25 m")
    func spread() {
        let variance = covariance(metresApart: 0)
        // 12 000 deviates, ten of a street not quite independent: good to 2 %; four of them.
        #expect(abs(variance / (1.2 * 1.2) - 1) < 0.08)
        // A Gauss–Markov process smoothed over s has ρ(d) = exp(−d/L)/erfc(s/L) beyond a few s.
        let afterwards = exp(-1) / erfc(StreetIron.smoothingMetres / 25)
        #expect(abs(covariance(metresApart: 25) / variance - afterwards) < 0.04)
        #expect(abs(covariance(metresApart: 75) / variance - afterwards * exp(-2)) < 0.04)
        #expect(abs(covariance(metresApart: 300) / variance) < 0.04)
    }

    @Test("is smooth: its slope has no kinks")
    func smooth() {
        for seed in 0..<20 as Range<UInt64> {
            let street = street(seed)
            var (steepest, kink) = (0.0, 0.0)
            for place in stride(from: 0, to: Self.round, by: 0.25) {
                let (before, here, after) = (
                    street.fieldENU(at: place - 0.25), street.fieldENU(at: place), street.fieldENU(at: place + 0.25)
                )
                steepest = max(steepest, (after - here).norm / 0.25)
                kink = max(kink, (after - 2 * here + before).norm / (0.25 * 0.25))
            }
            // In µT/m and µT/m²: deviations of three axes are 0.25 and 0.05; a kink at the grid of 0.25 m would be 1.
            #expect(steepest > 0.2 && steepest < 1.2)
            #expect(kink < 0.3)
        }
    }

    @Test("is the same after each round, and another for another seed")
    func fixed() {
        let street = street(1)
        for place in stride(from: 0, to: Self.round, by: 13) {
            let field = street.fieldENU(at: place)
            #expect((street.fieldENU(at: place + 3 * Self.round) - field).norm < 1e-9)
            #expect(field == self.street(1).fieldENU(at: place))
            #expect(field != self.street(2).fieldENU(at: place))
        }
    }

    @Test("there is none where its standard deviation is zero")
    func none() {
        let street = street(1, standardDeviation: 0)
        for place in stride(from: 0, to: Self.round, by: 50) { #expect(street.fieldENU(at: place) == .zero) }
    }
}
