/// What walking adds to the way: two steps a stride, strong in proportion to the speed.
struct Gait {
    /// Displacements. Unit: metres.
    let along: Jet
    let right: Jet
    let up: Jet
    /// Angles. Unit: radians.
    let yaw: Jet
    let pitch: Jet
    let roll: Jet
    /// 1 at rest, 0 at the usual pace.
    let stillness: Jet

    init(_ progress: WalkPace.Progress, shape: GaitShape = .usual) {
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

/// How one walks: amplitudes and phases of what goes to and fro with the steps.
struct GaitShape {
    struct Part {
        var amplitude: Double
        var phase = 0.0

        /// Of amplitude 1.
        func wave(_ cycle: Jet) -> Jet { (cycle + phase).sine }
    }

    /// Unit: metres.
    var stepLength = 0.72
    /// At which the amplitudes below are reached. Unit: m/s.
    var usualSpeed = 1.3
    /// Displacements, once a step. Unit: metres.
    var along = Part(amplitude: 0.0115)
    var up = Part(amplitude: 0.024, phase: 0.5)
    /// Twice a step.
    var heelStrike = Part(amplitude: 0.003, phase: 1.1)
    /// Once a stride.
    var right = Part(amplitude: 0.02)
    /// Once a step: the trunk does not swing along the way alone.
    var rightOfStep = Part(amplitude: 0)
    /// One leg is not like the other: once a stride.
    var alongLimp = Part(amplitude: 0)
    var upLimp = Part(amplitude: 0)
    /// Angles. Unit: radians.
    var yaw = Part(amplitude: 0.026)
    var pitch = Part(amplitude: 0.021)
    var roll = Part(amplitude: 0.021, phase: 1)

    static let usual = GaitShape()
}

extension GaitShape {
    /// Somebody's, by lot, around the usual one.
    init(style: WalkStyle, random: inout RandomSource) {
        self.init()
        stepLength = style.stepLength
        usualSpeed = style.speed
        let variety = style.variety
        // A body falls forward from its highest point: its acceleration ahead comes a quarter of a step before that upwards.
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
        // Phones held ahead swing 20° off the way, RMS over eight recorded walks.
        rightOfStep = Part(amplitude: 0.36 * along.amplitude * variety * random.normal(), phase: along.phase)
        alongLimp = Part(amplitude: 0.003 * variety * random.normal(), phase: random.uniform(in: 0...(2 * .pi)))
        upLimp = Part(amplitude: 0.003 * variety * random.normal(), phase: random.uniform(in: 0...(2 * .pi)))
    }
}
