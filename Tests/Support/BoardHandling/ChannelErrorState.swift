import Geometry
import Simulation

/// Time-varying errors of one sensor.
struct ChannelErrorState {
    private let errors: ChannelErrors
    private var random: RandomSource
    private var walk = Vector3.zero
    private var flicker: [GaussMarkov] = []
    private let whiteStandardDeviation: Double
    private let walkStandardDeviation: Double

    /// Ratio of successive time constants of the processes that approximate flicker noise.
    private static let spacing = 4.0
    /// Range of these time constants. Unit: seconds.
    private static let constants: (minimum: Double, maximum: Double) = (0.25, 5000)

    init(_ errors: ChannelErrors, rate: Int, random: consuming RandomSource) {
        var random = random
        self.errors = errors
        let interval = 1 / Double(max(1, rate))
        // White noise of density n, sampled at the rate f, has the standard deviation n·√f; a walk of K grows by K·√T.
        whiteStandardDeviation = errors.noiseDensity / interval.squareRoot()
        walkStandardDeviation = errors.biasWalk * interval.squareRoot()
        if errors.biasInstability > 0 {
            // Gauss–Markov processes of variance σ², spaced by r, have together the density σ²/(2·f·ln r); flicker has
            // B²/(2π·f) (IEEE Std 952-1997, C.5). Hence σ² = B²·ln r/π, with ln 4 = 1.386.
            let standardDeviation = errors.biasInstability * (1.3862943611198906 / .pi).squareRoot()
            var constant = Self.constants.minimum
            while constant < Self.constants.maximum {
                flicker.append(
                    GaussMarkov(
                        standardDeviation: Vector3(standardDeviation, standardDeviation, standardDeviation),
                        timeConstant: constant,
                        interval: interval, from: &random))
                constant *= Self.spacing
            }
        }
        self.random = random
    }

    /// Reading of the sensor for a true value; one call a sample.
    mutating func reading(of truth: Vector3) -> Vector3 {
        var measured = errors.matrix * truth + errors.bias
        if walkStandardDeviation > 0 {
            walk += random.normalVector(walkStandardDeviation)
            measured += walk
        }
        for index in flicker.indices {
            flicker[index].step(&random)
            measured += flicker[index].value
        }
        if whiteStandardDeviation > 0 { measured += random.normalVector(whiteStandardDeviation) }
        return Vector3(converted(measured.x), converted(measured.y), converted(measured.z))
    }

    private func converted(_ value: Double) -> Double {
        let rounded = errors.quantum > 0 ? (value / errors.quantum).rounded() * errors.quantum : value
        return min(errors.range, max(-errors.range, rounded))
    }
}
