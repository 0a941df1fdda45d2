import Geometry
import Glibc

/// Particles that follow the steps of a wearer. The weight of a particle depends on the borders that it crosses.
///
/// A wearer chooses an open way. A particle is therefore weighted by whether it crosses a border, relative to the
/// probability that there is a border around it. Otherwise, particles would gather in halls, where they never cross a
/// border.
///
/// Source: Arulampalam, Maskell, Gordon and Clapp, "A tutorial on particle filters", IEEE Transactions on Signal
/// Processing 50(2), 2002, algorithm 4 with systematic resampling.
struct ParticleCloud: Sendable, Codable {
    private(set) var particles: [Particle]
    /// Log-likelihood of the track so far on the plan, relative to other tracks on the plan.
    private(set) var evidence = 0.0
    /// Rotation of the whole track: 0 for the actual track, another angle for a track that `PlanHypothesis` compares
    /// with it. The directions of the particles are spread around it. Unit: radians, counter-clockwise.
    private let turn: Double

    private(set) var levels: [Float]

    /// Spreads particles around a position.
    ///
    /// - Parameters:
    ///   - turn: rotation of the whole track, 0 for the actual track. Unit: radians, counter-clockwise.
    ///   - levels: prior probability of each level of the plan.
    init(
        count: Int, about mean: Vector2, deviation: Vector2, direction: DirectionSpread, turn: Double,
        on plan: PlacedPlan, levels: [Double], settings: PlanMatchingSettings, random: inout RandomSource
    ) {
        self.turn = turn
        self.levels = levels.map(Float.init)
        particles = (0..<count).map { _ in
            Particle(
                x: Float(mean.x + deviation.x * random.normal()), y: Float(mean.y + deviation.y * random.normal()),
                turn: Float(turn + direction.published + direction.deviation * random.normal()),
                scale: Float(1 + settings.scaleDeviation * random.normal()), weight: 1 / Float(count))
        }
        var (level, reached) = (0, levels[0])
        for index in particles.indices {
            while (Double(index) + 0.5) / Double(count) > reached, level < levels.count - 1 {
                level += 1
                reached += levels[level]
            }
            particles[index].storey = plan.storey(of: level)
        }
    }

    /// Compensates for a correction that rotated the published direction by an angle. Each particle is rotated by the
    /// opposite angle, so that its true direction stays unchanged.
    mutating func followCorrection(by angle: Double) {
        guard angle != 0 else { return }
        for index in particles.indices { particles[index].turn -= Float(angle) }
    }

    /// Moves the particles by a published displacement and updates their weights.
    ///
    /// - Parameter scratch: buffer with the same number of particles, overwritten.
    mutating func move(
        by displacement: Vector2, published: Double, on plan: PlacedPlan, settings: PlanMatchingSettings,
        random: inout RandomSource, scratch: inout [Particle]
    ) {
        if plan.levels.count > 1 { wander(over: displacement.norm, on: plan, settings, &random) }
        let step = StepNoise(displacement, settings)
        let likelihood = BorderLikelihood(settings)
        let direction = DirectionLikelihood(about: turn + published, over: displacement.norm, settings)
        var sum: Float = 0
        for index in particles.indices {
            var particle = particles[index]
            let start = particle.point
            step.move(&particle, &random)
            particle.weight *= direction.factor(of: particle.turn)
            if let index = plan.index(of: particle.storey) {
                let away = plan.offset(of: index)
                particle.weight *= likelihood.factor(
                    from: start - away, to: particle.point - away, on: plan.levels[index].grid)
            }
            sum += particle.weight
            particles[index] = particle
        }
        guard sum > .leastNormalMagnitude else {
            for index in particles.indices { particles[index].weight = 1 / Float(particles.count) }
            return
        }
        evidence += log(Double(sum))
        normalize(by: sum, random: &random, scratch: &scratch)
    }

    /// Normalises the weights to a sum of 1. Resamples the particles if too few contribute.
    private mutating func normalize(by sum: Float, random: inout RandomSource, scratch: inout [Particle]) {
        var squares: Float = 0
        for index in particles.indices {
            particles[index].weight /= sum
            squares += particles[index].weight * particles[index].weight
        }
        guard 1 / squares < Float(particles.count) / 2 else { return }
        let share = 1 / Float(particles.count)
        var (source, reached) = (0, particles[0].weight)
        let offset = Float(random.uniform())
        for index in particles.indices {
            let wanted = (Float(index) + offset) * share
            while reached < wanted, source < particles.count - 1 {
                source += 1
                reached += particles[source].weight
            }
            scratch[index] = particles[source]
            scratch[index].weight = share
        }
        swap(&particles, &scratch)
    }

    /// Moves a few particles to an adjacent level, in case all particles are on the wrong level.
    private mutating func wander(
        over length: Double, on plan: PlacedPlan, _ settings: PlanMatchingSettings, _ random: inout RandomSource
    ) {
        let probability = settings.levelWalk * length
        for index in particles.indices where random.uniform() < probability {
            guard let level = plan.index(of: particles[index].storey) else { continue }
            let next = level + (random.uniform() < 0.5 ? -1 : 1)
            if plan.levels.indices.contains(next) { particles[index].storey = plan.storey(of: next) }
        }
    }

    /// Moves the particles to other storeys, preferably those with a drawn level. Widens their spread, because steps on
    /// stairs are shorter than on the flat, and because escalators and lifts move the wearer without steps.
    mutating func climb(
        by height: Double, on plan: PlacedPlan, _ settings: PlanMatchingSettings, _ random: inout RandomSource
    ) {
        let steps = LevelSteps(height)
        var sum: Float = 0
        for index in particles.indices {
            let storey = plan.storey(steps.number(random.uniform()), above: particles[index].storey)
            particles[index].storey = storey
            particles[index].x += Float(height * random.normal())
            particles[index].y += Float(height * random.normal())
            if plan.index(of: storey) == nil { particles[index].weight *= Float(settings.undrawnLevel) }
            sum += particles[index].weight
        }
        for index in particles.indices { particles[index].weight /= sum }
    }

    mutating func weighLevels(of plan: PlacedPlan) {
        for index in levels.indices { levels[index] = 0 }
        for particle in particles {
            if let index = plan.index(of: particle.storey) { levels[index] += particle.weight }
        }
    }

    /// Mean and covariance of the position, and mean and variance of the turn.
    var moments: PlanarMoments {
        var sum = PlanarMoments.Sums()
        for particle in particles { sum.add(particle) }
        return PlanarMoments(sum)
    }

    /// Whether there are between one and `maximum` particles, and all of them are possible on a plan of `count` levels.
    func isPossible(maximum: Int, levels count: Int) -> Bool {
        let sum = particles.reduce(0) { $0 + $1.weight }
        return (1...max(1, maximum)).contains(particles.count)
            && particles.allSatisfy(\.isPossible)
            && turn.magnitude <= 2 * .pi && levels.count == count && levels.allSatisfy { (0...1.1).contains($0) }
            && (0.9...1.1).contains(sum)
    }

    mutating func add(evidence more: Double) { evidence += more }

    mutating func shift(by offset: Vector2) {
        for index in particles.indices {
            particles[index].x += Float(offset.x)
            particles[index].y += Float(offset.y)
        }
    }
}

/// Spread of the track's direction at the start.
struct DirectionSpread {
    /// Direction that would be published without plans, relative to the published direction. Unit: radians,
    /// counter-clockwise.
    var published: Double
    /// Standard deviation around the direction `published`. Unit: radians.
    var deviation: Double
}

/// Motion of particles along a displacement, with its random errors.
private struct StepNoise {
    private let east: Float
    private let north: Float
    private let turn: Double
    private let scale: Double
    private let position: Double

    init(_ displacement: Vector2, _ settings: PlanMatchingSettings) {
        (east, north) = (Float(displacement.x), Float(displacement.y))
        let root = displacement.norm.squareRoot()
        turn = settings.turnWalk * root
        scale = settings.scaleWalk * root
        position = settings.positionWalk * root
    }

    @inline(__always)
    func move(_ particle: inout Particle, _ random: inout RandomSource) {
        particle.turn += Float(turn * random.normal())
        particle.scale += Float(scale * random.normal())
        let (sine, cosine) = (sin(particle.turn) * particle.scale, cos(particle.turn) * particle.scale)
        particle.x += cosine * east - sine * north + Float(position * random.normal())
        particle.y += sine * east + cosine * north + Float(position * random.normal())
    }
}

/// Factor for a particle's weight, depending on the border that the particle crosses.
private struct BorderLikelihood {
    private let factors: InlineArray<4, Float>
    private let closing: Float

    init(_ settings: PlanMatchingSettings) {
        let crossing = Float(settings.crossing)
        factors = [1, crossing, crossing * Float(settings.entering), crossing * Float(settings.entering)]
        closing = 1 - crossing
    }

    @inline(__always)
    func factor(from start: SIMD2<Float>, to end: SIMD2<Float>, on grid: PlanGrid) -> Float {
        factors[grid.border(from: start, to: end).rawValue] / (1 - closing * grid.closedness(at: start))
    }
}

/// Factor for a particle's weight, depending on its rotation from the published direction. The published direction
/// counts as a measurement, as the borders do.
private struct DirectionLikelihood {
    private let turn: Float
    private let weight: Float

    /// - Parameter length: distance over which the direction was published.
    init(about turn: Double, over length: Double, _ settings: PlanMatchingSettings) {
        self.turn = Float(turn)
        let deviation = settings.directionDeviation
        weight = Float(length / (2 * settings.directionLength * deviation * deviation))
    }

    @inline(__always)
    func factor(of turn: Float) -> Float {
        let error = turn - self.turn
        return exp(-weight * error * error)
    }
}
