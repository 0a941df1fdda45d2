import Geometry
import Testing

@Suite("Chi-square law")
struct ChiSquareTests {
    /// Table values: NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.4, to three decimals.
    @Test(
        "quantiles are those of the tables",
        arguments: [
            (1, 0.95, 3.841), (2, 0.95, 5.991), (3, 0.95, 7.815), (3, 0.99, 11.345), (10, 0.95, 18.307),
            (30, 0.99, 50.892), (100, 0.95, 124.342), (100, 0.05, 77.929),
        ])
    func tables(degrees: Int, probability: Double, value: Double) {
        #expect(abs(ChiSquare(degreesOfFreedom: degrees).quantile(probability) - value) < 6e-4)
    }

    @Test("two degrees of freedom are the exponential law", arguments: [0.01, 0.5, 2, 7, 30])
    func exponential(x: Double) {
        // 1 − exp(−x/2), by a series of its own.
        var term = 1.0
        var sum = 0.0
        for k in 1...200 {
            term *= -x / 2 / Double(k)
            sum -= term
        }
        #expect(abs(ChiSquare(degreesOfFreedom: 2).cumulative(x) - sum) < 1e-9)
    }

    @Test("quantile and probability are inverse", arguments: [1, 2, 3, 6, 15, 200, 3000])
    func inverse(degrees: Int) {
        let law = ChiSquare(degreesOfFreedom: degrees)
        for p in [1e-4, 0.025, 0.5, 0.975, 0.9999] {
            #expect(abs(law.cumulative(law.quantile(p)) - p) < 1e-9)
        }
    }

    @Test("bounds of a mean close in on the mean")
    func bounds() {
        let few = ChiSquare.meanBounds(degreesOfFreedom: 3, count: 10, probability: 0.95)
        let many = ChiSquare.meanBounds(degreesOfFreedom: 3, count: 1000, probability: 0.95)
        #expect(few.contains(3) && many.contains(3))
        #expect(few.lowerBound < many.lowerBound && many.upperBound < few.upperBound)
    }

    @Test("nothing lies below zero, all below infinity")
    func limits() {
        let law = ChiSquare(degreesOfFreedom: 3)
        #expect(law.cumulative(-1) == 0)
        #expect(law.cumulative(0) == 0)
        #expect(law.cumulative(.infinity) == 1)
    }
}
