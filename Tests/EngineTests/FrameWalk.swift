import Engine
import Geometry
import Glibc
import Model
import Scene
import Simulation
import Testing

/// A simulated walk whose compass is wrong on purpose for a while, through an engine, instant by instant.
struct FrameWalk {
    static let start = BootTime(nanoseconds: 3_000_000_000)

    private var walk: CityWalk
    /// Angle by which the field is turned, and duration: as by a steel frame next to the wearer. Units: radians,
    /// seconds.
    var fieldTurn = 0.0
    var fieldSeconds = 30.0
    /// Error of the receiver's positions, and time of its end. Frame: ENU. Units: metres, seconds.
    var shift = (offset: Vector3.zero, until: 0.0)
    /// Time without data of the receiver. Unit: seconds.
    var silence = 0.0..<0.0
    /// Standard deviation of velocities that the receiver reports; nil for that of its errors. Unit: m/s.
    var velocitySigma: Double?
    /// Whether the receiver follows reflections, 8 s out of every 25.
    var multipath = false
    private var random: RandomSource
    private var reflection = (until: 0.0, offset: Vector3.zero)

    init(seed: UInt64, errors: SensorErrors = .typical) throws {
        walk = try #require(
            CityWalk(
                settings: CityWalkSettings(seed: seed, errors: errors), start: Self.start,
                magneticModel: WorldMagneticModel.wmm2025))
        random = RandomSource(seed: seed, stream: 99)
    }

    var plane: LocalTangentPlane { walk.plane }

    func truth(at time: BootTime) -> WalkTruth { walk.truth(at: time) }

    mutating func next() throws -> Measurement {
        var measurement = walk.next()
        while case .fix = measurement, silence.contains(measurement.time.seconds(since: Self.start)) {
            measurement = walk.next()
        }
        let seconds = measurement.time.seconds(since: Self.start)
        switch measurement {
        case .magneticField(var sample) where seconds < fieldSeconds && fieldTurn != 0:
            let rotation = walk.truth(at: sample.time).rotationENUFromBody
            sample.field = rotation.inverse * (Rotation3.aboutZ(fieldTurn) * (rotation * sample.field))
            return .magneticField(sample)
        case .fix(var fix) where velocitySigma != nil:
            fix.velocitySigma = velocitySigma
            return .fix(fix)
        case .fix(var fix) where seconds < shift.until:
            let place = walk.plane.pointENU(of: fix.position) + shift.offset
            fix.position = try #require(walk.plane.position(ofENU: place))
            return .fix(fix)
        case .fix(var fix) where multipath:
            if seconds > reflection.until {
                reflection = (seconds + 25, Vector3(12 * random.normal(), 12 * random.normal(), 0))
            }
            guard reflection.until - seconds < 8 else { return measurement }
            let place = walk.plane.pointENU(of: fix.position) + reflection.offset
            fix.position = try #require(walk.plane.position(ofENU: place))
            return .fix(fix)
        default: return measurement
        }
    }

    /// Feeds the engine, and shows it after every inertial step, with the error of its heading (radians).
    mutating func run(
        seconds: Double, through engine: inout Engine,
        _ body: (inout Engine, PoseEstimate, _ yawError: Double) throws -> Void
    ) throws {
        while true {
            let measurement = try next()
            guard measurement.time.seconds(since: Self.start) < seconds else { return }
            engine.feed(measurement) { _ in }
            let pose = engine.pose
            if case .angularRate = measurement, let pose { try body(&engine, pose, yawError(of: pose)) }
        }
    }

    /// Error of the filter's heading against true north, counter-clockwise. Unit: radians.
    func yawError(of pose: PoseEstimate) -> Double {
        (pose.rotationENUFromBody * truth(at: pose.time).rotationENUFromBody.inverse).yawAboutZ
    }

    /// Angle by which the reference of a pose's heading lies off true north, in the sense of `yawError`. Unit: radians.
    func offset(of reference: HeadingReference) -> Double {
        reference == .magneticNorth ? atan2(walk.magneticFieldENU.x, walk.magneticFieldENU.y) : 0
    }
}
