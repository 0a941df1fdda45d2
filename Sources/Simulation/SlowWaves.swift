/// Sum of a few slow waves with random phases.
package struct SlowWaves {
    private var waves: [(amplitude: Double, rate: Double, phase: Double)] = []

    /// Waves with a standard deviation of the sum, and their periods. Unit of the periods: seconds.
    package init(_ standardDeviation: Double, periods: [Double], random: inout RandomSource) {
        let amplitude = standardDeviation * (2 / Double(periods.count)).squareRoot()
        waves = periods.map { (amplitude, 2 * .pi / $0, random.uniform(in: 0...(2 * .pi))) }
    }

    /// Value of the sum at a time.
    package func value(_ time: Jet) -> Jet {
        waves.reduce(Jet(0)) { $0 + $1.amplitude * ($1.rate * time + $1.phase).sine }
    }

    /// Cross-track displacement at a time of a walker at a speed whose course deviates by the angle `value`.
    /// Units: metres, m/s.
    package func integral(_ time: Jet, speed: Double) -> Jet {
        waves.reduce(Jet(0)) { $0 - (speed * $1.amplitude / $1.rate) * ($1.rate * time + $1.phase).cosine }
    }
}
