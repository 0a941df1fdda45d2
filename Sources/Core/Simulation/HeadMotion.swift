import Geometry

/// Head rotation of a wearer who looks around after the opening, as sums of slow waves.
struct HeadMotion {
    private let wakes: Double
    private let yaw: (Wave, Wave, Wave)
    private let pitch: (Wave, Wave)
    private let roll: (Wave, Wave)
    private let lookingAround: Wave
    private let breathing: Wave

    /// The periods have no common multiple, so that no round repeats another.
    init(wakes: Double, random: inout RandomSource) {
        self.wakes = wakes
        yaw = (
            Wave(amplitude: 0.22, period: 17.3, random: &random), Wave(amplitude: 0.16, period: 7.1, random: &random),
            Wave(amplitude: 0.07, period: 3.1, random: &random)
        )
        pitch = (
            Wave(amplitude: 0.09, period: 11.7, random: &random), Wave(amplitude: 0.05, period: 4.3, random: &random)
        )
        roll = (
            Wave(amplitude: 0.04, period: 13.9, random: &random), Wave(amplitude: 0.03, period: 5.3, random: &random)
        )
        lookingAround = Wave(amplitude: 0.6, period: 6.7, random: &random)
        breathing = Wave(amplitude: 0.0009, period: 3.4, random: &random)
    }

    /// Yaw (clockwise), pitch (up) and roll relative to the walking direction, larger while standing. Unit: radians.
    func angles(at seconds: Double, stillness: Jet) -> (yaw: Jet, pitch: Jet, roll: Jet) {
        let time = Jet.time(seconds)
        let awake = awake(time)
        let around = stillness * lookingAround.value(time)
        return (
            awake * (yaw.0.value(time) + yaw.1.value(time) + yaw.2.value(time) + around),
            awake * (pitch.0.value(time) + pitch.1.value(time)) + breathing.value(time) - 0.06,
            awake * (roll.0.value(time) + roll.1.value(time))
        )
    }

    /// Factor of the head's motion. It is 0 during the opening, then rises to 1.
    func awake(_ time: Jet) -> Jet { (0.4 * (time - wakes)).smoothStep }
}

/// Sum of a few slow waves with random phases.
package struct SlowWaves {
    private let waves: [Wave]

    /// Makes waves with the given periods. Their sum has the given standard deviation. Unit of the periods: seconds.
    package init(_ standardDeviation: Double, periods: [Double], random: inout RandomSource) {
        let amplitude = standardDeviation * (2 / Double(periods.count)).squareRoot()
        waves = periods.map { Wave(amplitude: amplitude, period: $0, random: &random) }
    }

    package func value(_ time: Jet) -> Jet {
        waves.reduce(Jet(0)) { $0 + $1.value(time) }
    }

    /// Cross-track displacement of a walker at a constant speed whose course deviates by the angle `value`. Units:
    /// metres, m/s.
    package func integral(_ time: Jet, speed: Double) -> Jet {
        waves.reduce(Jet(0)) { $0 - (speed * $1.amplitude / $1.rate) * ($1.rate * time + $1.phase).cosine }
    }
}

/// Harmonic oscillation in time.
struct Wave {
    var amplitude: Double
    /// Angular frequency. Unit: rad/s.
    var rate: Double
    var phase: Double

    func value(_ time: Jet) -> Jet { amplitude * (rate * time + phase).sine }
}

extension Wave {
    /// A wave with a random phase. Unit of the period: seconds.
    init(amplitude: Double, period: Double, random: inout RandomSource) {
        self.init(amplitude: amplitude, rate: 2 * .pi / period, phase: random.uniform(in: 0...(2 * .pi)))
    }
}
