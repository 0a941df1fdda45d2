import Glibc

/// Noise of a sensor as a sum of independent processes, each with its Allan variance and spectral density.
///
/// Source: IEEE Std 952, annex C. Powers of the coefficients: Q², N², B², K², R².
struct NoiseModel: Hashable, Sendable {
    enum Term: Int, CaseIterable, Hashable, Sendable {
        case quantisation
        case randomWalk
        case biasInstability
        case rateRandomWalk
        /// Drift at a constant rate, such as during warm-up. It is not a noise, but part of the curve.
        case rateRamp

        /// Allan variance at the cluster time τ of a process with coefficient 1: 3/τ², 1/τ, 2·ln2/π, τ/3, τ²/2.
        func allanVariance(_ tau: Double) -> Double {
            switch self {
            case .quantisation: 3 / (tau * tau)
            case .randomWalk: 1 / tau
            case .biasInstability: NoiseModel.flickerFloor
            case .rateRandomWalk: tau / 3
            case .rateRamp: tau * tau / 2
            }
        }

        /// One-sided spectral density of a process with coefficient 1, sampled at `interval`. It is twice IEEE's
        /// two-sided density.
        func density(_ frequency: Double, interval: Double) -> Double {
            switch self {
            case .quantisation:
                let difference = 2 * sin(.pi * frequency * interval) / interval
                return 2 * difference * difference * interval
            case .randomWalk: return 2
            case .biasInstability: return 1 / (.pi * frequency)
            case .rateRandomWalk: return 2 / (4 * .pi * .pi * frequency * frequency)
            case .rateRamp: return 0
            }
        }
    }

    /// Allan variance of a bias instability with coefficient 1, 2·ln2/π; its square root is 0.664.
    static let flickerFloor = 2 * 0.693_147_180_559_945_3 / Double.pi

    /// Squared coefficients; zero for absent processes.
    private var squares: [Double]

    init() { squares = [Double](repeating: 0, count: Term.allCases.count) }

    /// Squared coefficient of a process.
    subscript(_ term: Term) -> Double {
        get { squares[term.rawValue] }
        set { squares[term.rawValue] = newValue }
    }

    func allanVariance(_ tau: Double) -> Double {
        Term.allCases.reduce(0) { $0 + self[$1] * $1.allanVariance(tau) }
    }

    func density(_ frequency: Double, interval: Double) -> Double {
        Term.allCases.reduce(0) { $0 + self[$1] * $1.density(frequency, interval: interval) }
    }
}

extension Double {
    var logarithm: Double { log(self) }
    var exponential: Double { exp(self) }
}
