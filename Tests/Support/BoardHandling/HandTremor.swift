import Geometry
import Simulation

/// Tremor of a hand that holds a board: rotations and displacements about a still pose.
struct HandTremor {
    private struct Wave {
        var axis: Vector3
        var amplitude: Double
        var frequency: Double
        var phase: Double

        func value(_ time: Jet) -> Jet { amplitude * (2 * .pi * frequency * time + phase).sine }
    }

    private let turns: [Wave]
    private let shifts: [Wave]

    /// Distance of the hand from the wrist. Unit: metres.
    private static let reach = 0.08
    /// Bands of the slow sway of the arm, and of physiological tremor of 8 to 12 Hz with a tenth of its amplitude.
    /// Source of the band: Elble and Koller, "Tremor", 1990. Units: Hz, share of the angle.
    private static let bands: [(frequency: ClosedRange<Double>, share: Double)] = [
        (0.2...0.6, 1), (0.8...1.6, 0.5), (8...12, 0.1),
    ]

    /// - Parameter angle: standard deviation of the rotation about each axis. Unit: radians.
    init(angle: Double, random: inout RandomSource) {
        func waves(_ amplitude: Double) -> [Wave] {
            [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)].flatMap { axis in
                Self.bands.map { band in
                    Wave(
                        axis: axis, amplitude: amplitude * band.share,
                        frequency: random.uniform(in: band.frequency), phase: random.uniform(in: 0...(2 * .pi)))
                }
            }
        }
        let power = Self.bands.reduce(0) { $0 + $1.share * $1.share / 2 }
        turns = angle > 0 ? waves(angle / power.squareRoot()) : []
        shifts = angle > 0 ? waves(Self.reach * angle / power.squareRoot()) : []
    }

    /// A motion with the tremor at a time added.
    func applied(to motion: BoardMotion, at seconds: Double) -> BoardMotion {
        guard !turns.isEmpty else { return motion }
        let time = Jet.time(seconds)
        var motion = motion
        for wave in turns { motion = motion.turned(about: wave.axis, by: wave.value(time)) }
        for wave in shifts {
            let shift = wave.value(time)
            motion = motion.moved(east: wave.axis.x * shift, north: wave.axis.y * shift, up: wave.axis.z * shift)
        }
        return motion
    }
}
