import Geometry

/// Oscillation of a walking body. It is proportional to the speed, and a stride has two steps.
package struct Gait {
    /// Displacement along the path. Unit: metres.
    package let along: Jet
    /// Displacement to the right. Unit: metres.
    package let right: Jet
    /// Displacement upwards. Unit: metres.
    package let up: Jet
    /// Yaw, clockwise. Unit: radians.
    package let yaw: Jet
    /// Pitch, upwards. Unit: radians.
    package let pitch: Jet
    /// Roll. Unit: radians.
    package let roll: Jet
    /// How still the body stands: 1 at rest, 0 at the usual speed.
    package let stillness: Jet

    package init(_ progress: WalkPace.Progress, shape: GaitShape = .usual) {
        let strength = (1 / shape.usualSpeed) * progress.speed
        let step = (2 * .pi / shape.stepLength) * progress.distance
        let stride = 0.5 * step
        along =
            shape.along.amplitude * (strength * shape.along.wave(step))
            + shape.alongLimp.amplitude * (strength * shape.alongLimp.wave(stride))
        right =
            shape.right.amplitude * (strength * shape.right.wave(stride))
            + shape.rightOfStep.amplitude * (strength * shape.rightOfStep.wave(step))
        up =
            strength
            * (shape.up.amplitude * shape.up.wave(step)
                + shape.heelStrike.amplitude * shape.heelStrike.wave(2 * step)
                + shape.upLimp.amplitude * shape.upLimp.wave(stride))
        yaw = shape.yaw.amplitude * (strength * shape.yaw.wave(stride))
        pitch = shape.pitch.amplitude * (strength * shape.pitch.wave(step))
        roll = shape.roll.amplitude * (strength * shape.roll.wave(stride))
        stillness = Jet(1) - strength
    }
}

/// Amplitudes and phases of the oscillations of a gait.
package struct GaitShape {
    /// One harmonic oscillation.
    struct Part {
        var amplitude: Double
        var phase = 0.0

        /// Oscillation of amplitude 1 at a phase of the step or stride.
        func wave(_ cycle: Jet) -> Jet { (cycle + phase).sine }
    }

    /// Length of a step. Unit: metres.
    var stepLength = 0.72
    /// Speed at which the amplitudes below are reached. Unit: m/s.
    var usualSpeed = 1.3
    /// Displacement along the path, once a step. Unit: metres.
    var along = Part(amplitude: 0.0115)
    /// Displacement upwards, once a step. Unit: metres.
    var up = Part(amplitude: 0.024, phase: 0.5)
    /// Displacement upwards, twice a step. Unit: metres.
    var heelStrike = Part(amplitude: 0.003, phase: 1.1)
    /// Displacement to the right, once a stride. Unit: metres.
    var right = Part(amplitude: 0.02)
    /// Displacement to the right, once a step, because the trunk does not oscillate exactly along the path. Unit:
    /// metres.
    var rightOfStep = Part(amplitude: 0)
    /// Displacement along the path, once a stride, because the legs differ. Unit: metres.
    var alongLimp = Part(amplitude: 0)
    /// Displacement upwards, once a stride, because the legs differ. Unit: metres.
    var upLimp = Part(amplitude: 0)
    /// Yaw, once a stride. Unit: radians.
    var yaw = Part(amplitude: 0.026)
    /// Pitch, once a step. Unit: radians.
    var pitch = Part(amplitude: 0.021)
    /// Roll, once a stride. Unit: radians.
    var roll = Part(amplitude: 0.021, phase: 1)

    package static let usual = GaitShape()
}

extension GaitShape {
    package init(style: WalkStyle, random: inout RandomSource) {
        self.init()
        stepLength = style.stepLength
        usualSpeed = style.speed
        let variety = style.variety
        // A body falls forward from its highest point. Its forward acceleration therefore precedes its upward
        // acceleration by a quarter of a step.
        along.phase = up.phase + .pi / 2
        func vary(_ part: inout Part) {
            part.amplitude *= max(0.3, 1 + 0.3 * variety * random.normal())
            part.phase += 0.4 * variety * random.normal()
        }
        vary(&along)
        vary(&up)
        vary(&heelStrike)
        vary(&right)
        vary(&yaw)
        vary(&pitch)
        vary(&roll)
        // Phones held ahead oscillate 20° off the path. This is the RMS over eight recorded walks.
        rightOfStep = Part(amplitude: 0.36 * along.amplitude * variety * random.normal(), phase: along.phase)
        alongLimp = Part(amplitude: 0.003 * variety * random.normal(), phase: random.uniform(in: 0...(2 * .pi)))
        upLimp = Part(amplitude: 0.003 * variety * random.normal(), phase: random.uniform(in: 0...(2 * .pi)))
    }
}

/// Parameters of a random gait. Angles are in radians.
public struct WalkStyle: Hashable, Sendable {
    /// Steady speed. Unit: m/s.
    public var speed: Double
    /// Duration of the acceleration to the steady speed, and of the deceleration to rest. Unit: seconds.
    public var rampSeconds: Double
    /// Length of a step. Unit: metres.
    public var stepLength: Double
    /// Factor of the random deviations from the average gait, and of the differences between left and right; 0 for
    /// none.
    public var variety: Double
    /// Standard deviation of the course from the straight line.
    public var wander: Double
    /// Standard deviation of the head's yaw from the course.
    public var looking: Double
    /// Standard deviation of the angle between facing and walking direction. The angle is drawn once for each walk.
    public var facing: Double
    /// Total turn of a path that is not straight, counter-clockwise.
    public var turn: Double

    package init(
        speed: Double = 1.3, rampSeconds: Double = 1.6, stepLength: Double = 0.72, variety: Double = 1,
        wander: Double = 0.02, looking: Double = 0.03, facing: Double = 0.035, turn: Double = 0
    ) {
        self.speed = speed
        self.rampSeconds = rampSeconds
        self.stepLength = stepLength
        self.variety = variety
        self.wander = wander
        self.looking = looking
        self.facing = facing
        self.turn = turn
    }
}
