import Glibc
import Scene
import Testing

@Suite("Probability to be within a circle")
struct CircleProbabilityTests {
    /// By the density in polar coordinates about the centre, midpoints on a fine grid: nothing in common with the sum
    /// under test.
    private func integral(radius: Double, distance: Double, standardDeviation: Double) -> Double {
        let (radial, angular) = (1200, 600)
        var sum = 0.0
        for i in 0..<radial {
            let r = (Double(i) + 0.5) * radius / Double(radial)
            for j in 0..<angular {
                let angle = (Double(j) + 0.5) * 2 * .pi / Double(angular)
                let (x, y) = (r * cos(angle) - distance, r * sin(angle))
                sum += exp(-0.5 * (x * x + y * y) / (standardDeviation * standardDeviation)) * r
            }
        }
        return sum * radius / Double(radial) * 2 * .pi / Double(angular)
            / (2 * .pi * standardDeviation * standardDeviation)
    }

    @Test(
        "is the integral of the density over the circle",
        arguments: [
            (0.0, 10.0), (10, 5), (30, 8), (40, 4), (40, 20), (45, 3), (60, 15), (80, 30), (200, 60), (35, 100),
        ])
    func integral(distance: Double, standardDeviation: Double) {
        let found = CircleProbability.within(radius: 40, distance: distance, standardDeviation: standardDeviation)
        // The midpoint rule over steps of 1/30 m is off by some 1e-6 where the density changes within 3 m.
        #expect(abs(found - integral(radius: 40, distance: distance, standardDeviation: standardDeviation)) < 5e-6)
    }

    @Test("at the centre it is 1 − exp(−R²/2σ²)", arguments: [0.5, 2, 10, 40, 100, 1000])
    func center(standardDeviation: Double) {
        let exact = -expm1(-0.5 * (40 / standardDeviation) * (40 / standardDeviation))
        #expect(
            abs(CircleProbability.within(radius: 40, distance: 0, standardDeviation: standardDeviation) - exact) < 1e-10
        )
    }

    @Test(
        "is one less Marcum's Q, as a sum of central distributions by Poisson's weights",
        arguments: [(1.0, 1.0), (2, 1), (1, 2), (2, 2), (3, 3), (1, 3), (6, 5), (5, 9), (12, 11), (0.01, 5)])
    func marcum(a: Double, b: Double) {
        let (x, y) = (0.5 * a * a, 0.5 * b * b)
        var weight = exp(-x)
        var term = exp(-y)
        var tail = term
        var q = 0.0
        for k in 0..<600 {
            q += weight * tail
            weight *= x / Double(k + 1)
            term *= y / Double(k + 1)
            tail += term
        }
        #expect(abs(CircleProbability.within(radius: b, distance: a, standardDeviation: 1) - (1 - q)) < 1e-10)
    }

    @Test("falls with the distance, and lies in [0, 1] at the ends of all numbers")
    func limits() {
        for standardDeviation in [1e-9, 0.01, 0.041, 1, 30, 1e6, 1e300] {
            var before = 1.0
            for distance in stride(from: 0.0, through: 200, by: 0.5) {
                let found = CircleProbability.within(
                    radius: 40, distance: distance, standardDeviation: standardDeviation)
                // The rounding of a sum of a few hundred terms.
                #expect(found >= 0 && found <= before + 1e-12)
                before = found
            }
        }
        #expect(CircleProbability.within(radius: 40, distance: 39, standardDeviation: 0) == 1)
        #expect(CircleProbability.within(radius: 40, distance: 40, standardDeviation: 0) == 0)
        #expect(CircleProbability.within(radius: 40, distance: 1e300, standardDeviation: 10) == 0)
        // On the edge of a circle that is large against the deviation: a half, less σ/(R·√8π) for its curvature.
        let edge = CircleProbability.within(radius: 40, distance: 40, standardDeviation: 0.1)
        #expect(abs(edge - (0.5 - 0.0025 / (8 * Double.pi).squareRoot())) < 1e-6)
    }
}
