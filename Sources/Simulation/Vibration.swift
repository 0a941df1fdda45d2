/// Vibration of a bus at the head of a seated passenger: sums of waves, vertical and lateral.
struct Vibration {
    private struct Wave {
        /// Amplitude of the displacement. Unit: metres.
        var amplitude: Double
        /// Angular frequency. Unit: rad/s.
        var rate: Double
        var phase: Double

        func value(_ time: Jet) -> Jet { amplitude * (rate * time + phase).sine }
    }

    /// Bands of springs, tyres and wheels, and engine, together 0.5 m/s² RMS vertical, as measured on the seats of city
    /// buses (0.3 to 0.6 m/s²: "a little uncomfortable" by ISO 2631-1). Units: Hz; RMS in m/s².
    private static let bands: [(frequency: ClosedRange<Double>, acceleration: Double)] = [
        (1.0...1.8, 0.3), (2.5...4, 0.2), (8...12, 0.3), (18...26, 0.15),
    ]
    private static let wavesPerBand = 2
    /// Ratio of the lateral to the vertical acceleration.
    private static let shareAcross = 0.4

    private let up: [Wave]
    private let right: [Wave]

    init(random: inout RandomSource) {
        up = Self.waves(1, &random)
        right = Self.waves(Self.shareAcross, &random)
    }

    /// Displacement at a time. Unit: metres.
    ///
    /// - Parameter strength: amplitude from 0, while the bus stands, to 1.
    func shift(at seconds: Double, strength: Jet) -> (up: Jet, right: Jet) {
        let time = Jet.time(seconds)
        func sum(_ waves: [Wave]) -> Jet { strength * waves.reduce(Jet(0)) { $0 + $1.value(time) } }
        return (sum(up), sum(right))
    }

    /// Random waves of all bands. The acceleration of a wave is its displacement times the squared rate; its RMS is
    /// 1/√2 of its amplitude.
    private static func waves(_ share: Double, _ random: inout RandomSource) -> [Wave] {
        bands.flatMap { band in
            (0..<wavesPerBand).map { _ in
                let rate = 2 * .pi * random.uniform(in: band.frequency)
                let acceleration = share * band.acceleration * (2 / Double(wavesPerBand)).squareRoot()
                return Wave(
                    amplitude: acceleration / (rate * rate), rate: rate, phase: random.uniform(in: 0...(2 * .pi)))
            }
        }
    }
}
