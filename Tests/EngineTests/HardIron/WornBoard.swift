import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model

/// Readings of a board on the head of a wearer who walks through a city, without a filter in between: tilt that is off
/// by a fifth of a degree, and what stands about in streets and houses.
struct WornBoard {
    /// Unit: microtesla.
    struct Surroundings {
        /// Per axis at the peak of something one passes.
        var disturbance = 8.0
        /// Per axis, of a field that differs from place to place.
        var indoors = 0.0
        /// Between two corners. Unit: metres.
        var block = 60.0
        /// Whether the field is known from a position.
        var isKnown = true
    }

    private(set) var seconds = 0.0
    private var random: Seeded
    private let surroundings: Surroundings
    private var course: Double
    private var leg = 0.0
    private var position = Vector3.zero
    private let phases: [Double]
    private let waves: [(wave: Vector3, amplitude: Vector3, phase: Double)]
    private var passing: (start: Double, length: Double, peak: Vector3)
    private var tilt = Vector3.zero

    /// Frame: ENU. Unit: microtesla.
    static let field = Vector3(1.3, 21.5, -43.2)
    private static let interval = 0.1
    private static let speed = 1.3

    init(seed: UInt64, _ surroundings: Surroundings = Surroundings()) {
        var random = Seeded(seed &* 7919)
        self.surroundings = surroundings
        phases = (0..<7).map { _ in Double.random(in: 0..<6.28, using: &random) }
        waves = (0..<24).map { _ in
            (random.vector(0.5), random.vector(surroundings.indoors / 3.5), Double.random(in: 0..<6.28, using: &random))
        }
        passing = (30 + 90 * Double.random(in: 0..<1, using: &random), 25, random.vector(surroundings.disturbance))
        course = 0.4 + Double(Int.random(in: 0..<4, using: &random)) * .pi / 2
        self.random = random
    }

    /// The next reading, with an iron on the board.
    ///
    /// - Parameter turns: whether corners are turned at all.
    mutating func next(iron: Vector3, turns: Bool = true, isWalk: Bool = true) -> FieldReading {
        seconds += Self.interval
        walk(turns: turns)
        let rotation = attitude
        let field = rotation.inverse * (Self.field + passed() + place) + iron + random.vector(0.4)
        // A twentieth of it is new each time.
        tilt = tilt * 0.98 + Vector3(random.gaussian(), random.gaussian(), 0) * 0.001
        return FieldReading(
            time: Fixture.time(seconds), field: field, rotationENUFromBody: Rotation3.exp(tilt) * rotation,
            isWalk: isWalk, walked: Vector3(position.x, 0, -position.y),
            expected: surroundings.isKnown
                ? FieldReading.Intensities(horizontal: Self.field.horizontalNorm, upward: Self.field.z) : nil)
    }

    private mutating func walk(turns: Bool) {
        if leg <= 0 {
            leg = surroundings.block * Double.random(in: 0.5..<1.5, using: &random)
            let lot = Double.random(in: 0..<1, using: &random)
            if turns { course += lot < 0.45 ? .pi / 2 : lot < 0.9 ? -.pi / 2 : .pi }
        }
        leg -= Self.speed * Self.interval
        position += Vector3(cos(course), sin(course), 0) * (Self.speed * Self.interval)
    }

    /// Looking about: sums of slow waves.
    private var attitude: Rotation3 {
        func wave(_ amplitude: Double, _ period: Double, _ index: Int) -> Double {
            amplitude * sin(2 * .pi * seconds / period + phases[index])
        }
        let yaw = wave(0.22, 17.3, 0) + wave(0.16, 7.1, 1) + wave(0.07, 3.1, 2)
        let pitch = wave(0.09, 11.7, 3) + wave(0.05, 4.3, 4) - 0.06
        let roll = wave(0.04, 13.9, 5) + wave(0.03, 5.3, 6)
        return Rotation3.aboutZ(course + yaw - .pi / 2) * Rotation3.exp(Vector3(.pi / 2 + pitch, 0, 0))
            * Rotation3.exp(Vector3(0, 0, roll))
    }

    /// Frame: ENU.
    private mutating func passed() -> Vector3 {
        if seconds > passing.start + passing.length {
            passing = (
                seconds + 30 + 90 * Double.random(in: 0..<1, using: &random),
                10 + 30 * Double.random(in: 0..<1, using: &random), random.vector(surroundings.disturbance)
            )
        }
        let phase = max(0, (seconds - passing.start) / passing.length)
        return passing.peak * (0.5 * (1 - cos(2 * .pi * phase)))
    }

    /// Frame: ENU.
    private var place: Vector3 {
        waves.reduce(.zero) { $0 + $1.amplitude * sin($1.wave.dot(position) + $1.phase) }
    }
}
