import Geometry

/// Motion of the trunk or the head during one straight walk from rest to rest.
struct StraightWalk {
    private let metres: Double
    private let style: WalkStyle
    private let shape: GaitShape
    /// Angle from the facing to the walking direction, counter-clockwise. Unit: radians.
    private let facing: Double
    private let wandering: SlowWaves
    private let looking: SlowWaves
    private let nodding: SlowWaves

    init(metres: Double, style: WalkStyle, shape: GaitShape, random: inout RandomSource) {
        precondition(metres > style.speed * style.rampSeconds, "a walk is longer than its start and its end")
        self.metres = metres
        self.style = style
        self.shape = shape
        facing = style.facing * random.normal()
        wandering = SlowWaves(style.wander, periods: [11.3, 5.7], random: &random)
        looking = SlowWaves(style.looking, periods: [7.1, 3.1], random: &random)
        nodding = SlowWaves(style.looking / 2, periods: [4.3, 9.1], random: &random)
    }

    var seconds: Double { metres / style.speed + style.rampSeconds }

    func motion(from start: BoardMotion, at seconds: Double) -> BoardMotion {
        let ramp = style.rampSeconds
        let rise = (1 / ramp) * Jet.time(seconds)
        let fall = (1 / ramp) * (Jet.time(seconds) - (self.seconds - ramp))
        let progress = WalkPace.Progress(
            distance: style.speed * ramp * (rise.smoothStepIntegral - fall.smoothStepIntegral),
            speed: style.speed * (rise.smoothStep - fall.smoothStep))
        let gait = Gait(progress, shape: shape)
        let strength = (1 / style.speed) * progress.speed
        let time = Jet.time(seconds)

        // The angle of the course is used as the slope of the path relative to the straight line.
        let along = progress.distance + gait.along
        let side = strength * wandering.integral(time, speed: style.speed) + gait.right
        let bend = (1 / metres) * (progress.distance * progress.distance)
        let left = 0.5 * style.turn * bend - side
        let turn = (style.turn / metres) * progress.distance

        let ahead = start.rotationENUFromBody * Vector3(0, 0, -1)
        let level = (Vector3(ahead.x, ahead.y, 0).normalized ?? Vector3(0, 1, 0))
        let aheadENU = Rotation3.about(Vector3(0, 0, 1), by: facing) * level
        let leftENU = Vector3(-aheadENU.y, aheadENU.x, 0)
        return
            start
            .moved(
                east: aheadENU.x * along + leftENU.x * left, north: aheadENU.y * along + leftENU.y * left,
                up: gait.up
            )
            .turned(about: Vector3(0, 1, 0), by: turn + strength * looking.value(time) - gait.yaw)
            .turned(about: Vector3(1, 0, 0), by: strength * nodding.value(time) + gait.pitch)
            .turned(about: Vector3(0, 0, 1), by: gait.roll)
    }
}
