import Geometry

/// Location on the body at which a board is carried during a simulated walk.
public enum Carriage: String, CaseIterable, Hashable, Sendable {
    /// On the head, like glasses.
    case head
    /// In a hand held ahead.
    case hand
    /// On the chest, or in a breast pocket.
    case chest
    /// In a bag that hangs from the shoulder and swings.
    case bag
    /// In a trouser pocket, or strapped to the thigh.
    case trousers
}

extension CityWalkSettings {
    /// How a board is carried and oriented during a walk.
    public struct Wearing: Hashable, Sendable {
        package var carriage = Carriage.head
        /// Constant orientation of the board in its carriage. Frame: wearer (x right, y up, z back) from body.
        public var rotationWearerFromBody = Rotation3.identity

        package init(_ carriage: Carriage = .head, _ rotationWearerFromBody: Rotation3 = .identity) {
            self.carriage = carriage
            self.rotationWearerFromBody = rotationWearerFromBody
        }
    }
}

/// Motion of a board that is carried anywhere on the body of a walker. Path, pace and gait are those of `WalkMotion`.
/// The body part that carries the board swings, and a lever arm leads from its joint to the board.
///
/// Position and attitude derive from one trajectory, so that rates and accelerations are exactly consistent.
struct CarriedMotion: WearerMotion {
    private let block: CityBlock
    private let pace: WalkPace
    private let shape: GaitShape
    private let part: BodyPart
    private let mount: Rotation3
    /// Slow rotation of the board within its carriage, about up, right and back.
    private let settling: (yaw: SlowWaves, pitch: SlowWaves, roll: SlowWaves)
    private let wakes: Double

    private enum BodyPart {
        /// Rigidly connected to the trunk.
        case trunk
        case thigh(ThighSwing)
        case bag(BagSwing)
    }

    /// Position of the joint, or of a board that is rigidly connected to the trunk. It is relative to the middle of the
    /// trunk. Frame: wearer. Unit: metres.
    private let joint: Vector3
    /// Lever arm from the joint to the board while the body part hangs straight. Frame: wearer. Unit: metres.
    private let arm: Vector3

    init(
        block: CityBlock, openingSeconds: Double, wearing: CityWalkSettings.Wearing, random: inout RandomSource
    ) {
        self.block = block
        pace = WalkPace(opening: openingSeconds, round: block.stretches(&random))
        mount = wearing.rotationWearerFromBody
        wakes = openingSeconds
        let shape = Self.shape(&random)
        self.shape = shape
        let strideSeconds = 2 * shape.stepLength / shape.usualSpeed
        let isRight = random.uniform() < 0.5
        // The trunk is lowest just after a heel strike. A quarter of a stride after the right heel strikes, the trunk
        // is over the right foot.
        let rightStrike = (-.pi / 2 - shape.up.phase) / 2 - 0.1 * .pi
        let strike = isRight ? rightStrike : rightStrike + .pi
        let side = isRight ? 1.0 : -1.0
        switch wearing.carriage {
        case .head, .hand, .chest:
            part = .trunk
            joint = Vector3(0, 0.1, wearing.carriage == .hand ? -0.35 : -0.1)
            arm = .zero
        case .bag:
            let swing = BagSwing(shape: shape, strike: strike, strideSeconds: strideSeconds, random: &random)
            part = .bag(swing)
            joint = Vector3(side * 0.2, 0.3, 0)
            arm = Vector3(side * 0.05, -swing.length, random.uniform(in: -0.08...0.08))
        case .trousers:
            part = .thigh(ThighSwing(strike: strike, strideSeconds: strideSeconds, random: &random))
            joint = Vector3(side * 0.1, -0.2, 0)
            arm = Vector3(
                side * random.uniform(in: 0...0.08), -random.uniform(in: 0.1...0.35), random.uniform(in: -0.1...0.08))
        }
        let settles = wearing.carriage == .chest ? 0.03 : 0.06
        settling = (
            SlowWaves(settles, periods: [37.1, 13.3], random: &random),
            SlowWaves(settles, periods: [29.7, 11.1], random: &random),
            SlowWaves(settles, periods: [31.3, 17.9], random: &random)
        )
    }

    /// Random gait with a cadence of 1.7 to 2.0 steps a second at the usual speed, 1.3 m/s.
    private static func shape(_ random: inout RandomSource) -> GaitShape {
        var style = WalkStyle()
        style.stepLength = style.speed / random.uniform(in: 1.7...2.0)
        var shape = GaitShape(style: style, random: &random)
        // The trunk sways towards the supporting foot, and is highest while it is over that foot.
        shape.right.phase = .pi / 2 - (.pi / 2 - shape.up.phase) / 2 + 0.2 * random.normal()
        shape.alongLimp.amplitude *= 2
        shape.upLimp.amplitude *= 2
        return shape
    }

    var roundSeconds: Double { pace.roundSeconds }

    var roundMetres: Double { block.path.length }

    func steps(at seconds: Double) -> Double { pace.progress(at: seconds).distance.value / shape.stepLength }

    func placement(at seconds: Double) -> BoardPlacement {
        let progress = pace.progress(at: seconds)
        let gait = Gait(progress, shape: shape)
        let strength = (1 / shape.usualSpeed) * progress.speed
        let stride = (.pi / shape.stepLength) * progress.distance
        let location = block.path.location(at: progress.distance + block.start)
        let trunk = Attitude(heading: location.course + gait.yaw, pitch: gait.pitch, roll: gait.roll)
        var attitude = trunk
        var jolt = Jet(0)
        let swing: (yaw: Jet, pitch: Jet, roll: Jet)
        switch part {
        case .trunk: swing = (Jet(0), Jet(0), Jet(0))
        case .thigh(let thigh):
            swing = thigh.angles(stride, strength: strength)
            jolt = thigh.jolt(stride, strength: strength)
        case .bag(let bag):
            swing = bag.angles(stride, strength: strength)
            jolt = bag.jolt(stride, strength: strength)
        }
        let time = Jet.time(seconds)
        let awake = (0.4 * (time - wakes)).smoothStep
        attitude.heading = attitude.heading + swing.yaw + awake * settling.yaw.value(time)
        attitude.pitch = attitude.pitch + swing.pitch + awake * settling.pitch.value(time)
        attitude.roll = attitude.roll + swing.roll + awake * settling.roll.value(time)
        let (sine, cosine) = (location.course.sine, location.course.cosine)
        let (shoulder, hanging) = (trunk.shift(of: joint), attitude.shift(of: arm))
        attitude.rotationWearerFromBody = mount
        return BoardPlacement(
            east: location.east + gait.along * sine + gait.right * cosine + shoulder.east + hanging.east,
            north: location.north + gait.along * cosine - gait.right * sine + shoulder.north + hanging.north,
            up: gait.up + jolt + shoulder.up + hanging.up + Self.trunkHeight,
            attitude: attitude, pathMetres: progress.distance.value)
    }

    /// Height of the middle of the trunk above the ground. Unit: metres.
    private static let trunkHeight = 1.1
}
