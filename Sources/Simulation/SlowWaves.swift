/// A few slow waves of one standard deviation together.
struct SlowWaves {
    private var waves: [(amplitude: Double, rate: Double, phase: Double)] = []

    /// Unit: seconds.
    init(_ standardDeviation: Double, periods: [Double], random: inout RandomSource) {
        let amplitude = standardDeviation * (2 / Double(periods.count)).squareRoot()
        waves = periods.map { (amplitude, 2 * .pi / $0, random.uniform(in: 0...(2 * .pi))) }
    }

    func value(_ time: Jet) -> Jet {
        waves.reduce(Jet(0)) { $0 + $1.amplitude * ($1.rate * time + $1.phase).sine }
    }

    /// Where one comes to who goes off by the angle `value` at a speed. Unit: m/s.
    func integral(_ time: Jet, speed: Double) -> Jet {
        waves.reduce(Jet(0)) { $0 - (speed * $1.amplitude / $1.rate) * ($1.rate * time + $1.phase).cosine }
    }
}
