import Geometry
import Model
import Simulation

/// Simulated board that is handled for a calibration: samples and ground truth.
///
/// Pure and seeded: the same settings give the same measurements. Without errors they agree exactly with the truth.
public struct HandledBoard: Sendable {
    /// Errors of the sensors.
    public var errors: HandledErrors
    /// Gravity and fields of the site.
    public var site: HandlingSite
    /// Seed of all random numbers.
    public var seed: UInt64
    /// Rotation from sensor axes to the body axes of the truth.
    public var mount = Rotation3.identity
    /// Lever arm from the centre of rotation to the accelerometer. Frame: body. Unit: metres.
    public var arm = Vector3(0.01, -0.02, 0.03)
    /// Passing magnets.
    public var magnets: [MagnetPass] = []
    /// Instant of the first sample.
    public var start = BootTime(nanoseconds: 1_000_000_000)
    /// Sampling rate of accelerometer and gyroscope. Unit: Hz.
    public var inertialRate = 200
    /// Sampling rate of the magnetometer; 0 is without. Unit: Hz.
    public var magneticRate = 50

    private let segments: [HandlingSegment]
    private let tremor: HandTremor

    /// A board and its handling.
    ///
    /// - Parameters:
    ///   - handling: sequence of actions, from a horizontal pose with a random heading.
    ///   - tremor: standard deviation of the hand's tremor about each axis. Unit: radians.
    public init(
        _ handling: Handling, errors: HandledErrors = .none, seed: UInt64 = 1, site: HandlingSite = .zurich,
        tremor: Double = 0
    ) {
        self.errors = errors
        self.site = site
        self.seed = seed
        var random = RandomSource(seed: seed, stream: 30)
        let heading = Attitude(heading: Jet(random.uniform(in: 0...(2 * .pi))), pitch: Jet(0), roll: Jet(0))
        var motion = BoardMotion(rotationENUFromBody: heading.rotationENUFromBody)
        var gait = RandomSource(seed: seed, stream: 31)
        var segments: [HandlingSegment] = []
        for step in handling.steps {
            var shape = GaitShape.usual
            if case .walk(_, let style) = step {
                // All walks of one wearer have the same gait.
                var same = gait
                shape = GaitShape(style: style, random: &same)
            }
            segments.append(
                HandlingSegment(
                    step, begins: segments.last?.ends ?? 0, from: motion, shape: shape, random: &random))
            motion = segments[segments.count - 1].end
        }
        self.segments = segments
        self.tremor = HandTremor(angle: tremor, random: &gait)
    }

    /// Duration of the handling. Unit: seconds.
    public var seconds: Double { segments.last?.ends ?? 0 }

    /// Ground truth at a time after the first sample. Unit: seconds.
    public func truth(at seconds: Double) -> HandledTruth {
        let motion = motion(at: seconds)
        let rotationBodyFromENU = motion.rotationENUFromBody.inverse
        return HandledTruth(
            seconds: seconds, rotationENUFromBody: motion.rotationENUFromBody,
            angularRate: motion.rate + rotationBodyFromENU * site.earthRateENU,
            specificForce: motion.specificForce(gravity: site.gravity, arm: arm),
            field: rotationBodyFromENU * magnets.reduce(site.fieldENU) { $0 + $1.field(at: seconds) },
            positionENU: motion.position, velocityENU: motion.velocity)
    }

    /// All raw samples in order of arrival, a specific force before the angular rate of the same instant.
    /// Frame: sensors.
    public func measurements() -> [Measurement] {
        var gyroscope = ChannelErrorState(
            errors.gyroscope, rate: inertialRate, random: RandomSource(seed: seed, stream: 32))
        var accelerometer = ChannelErrorState(
            errors.accelerometer, rate: inertialRate, random: RandomSource(seed: seed, stream: 33))
        var magnetometer = ChannelErrorState(
            errors.magnetometer, rate: magneticRate, random: RandomSource(seed: seed, stream: 34))
        var inertialTicks = SampleTicks(rate: inertialRate, offset: 0)
        var magneticTicks = SampleTicks(rate: magneticRate, offset: 1_200_000)
        let end = Int64(seconds * 1e9)
        let rotationSourceFromBody = mount.inverse
        var measurements: [Measurement] = []
        measurements.reserveCapacity(Int(seconds) * (2 * inertialRate + magneticRate) + 1000)
        while min(inertialTicks.next, magneticTicks.next) <= end {
            if inertialTicks.next <= magneticTicks.next {
                let tick = inertialTicks.take()
                let truth = truth(at: Double(tick) * 1e-9)
                let force = accelerometer.reading(of: rotationSourceFromBody * truth.specificForce)
                let rate = gyroscope.reading(of: rotationSourceFromBody * truth.angularRate)
                measurements.append(.specificForce(SpecificForceSample(time: time(tick), force: force)))
                measurements.append(.angularRate(AngularRateSample(time: time(tick), rate: rate)))
            } else {
                let tick = magneticTicks.take()
                let field = magnetometer.reading(of: rotationSourceFromBody * truth(at: Double(tick) * 1e-9).field)
                measurements.append(.magneticField(MagneticSample(time: time(tick), field: field)))
            }
        }
        return measurements
    }

    private func time(_ tick: Int64) -> BootTime { BootTime(nanoseconds: start.nanoseconds + tick) }

    private func motion(at seconds: Double) -> BoardMotion {
        var (low, high) = (0, segments.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].ends < seconds { low = middle + 1 } else { high = middle }
        }
        precondition(!segments.isEmpty, "a handled board is handled")
        return tremor.applied(to: segments[low].motion(at: seconds), at: seconds)
    }
}

/// Ground truth of a handled board at one instant. Frame: body.
public struct HandledTruth: Hashable, Sendable {
    /// Time since the first sample. Unit: seconds.
    public var seconds: Double
    /// Attitude of the body.
    public var rotationENUFromBody: Rotation3
    /// Angular rate relative to inertial space. Unit: rad/s.
    public var angularRate: Vector3
    /// Specific force at the accelerometer. Unit: m/s².
    public var specificForce: Vector3
    /// Magnetic field. Unit: microtesla.
    public var field: Vector3
    /// Position of the centre of rotation relative to the start. Frame: ENU. Unit: metres.
    public var positionENU: Vector3
    /// Velocity of the centre of rotation. Frame: ENU. Unit: m/s.
    public var velocityENU: Vector3
}

extension BoardMotion {
    /// Specific force of an accelerometer at a lever arm from the centre of rotation.
    ///
    /// `f = Rᵀ·(a + g) + ω̇ × r + ω × (ω × r)`. Frame: body. Units: metres, m/s².
    fileprivate func specificForce(gravity: Double, arm: Vector3) -> Vector3 {
        rotationENUFromBody.inverse * (acceleration + Vector3(0, 0, gravity)) + rateOfRate.cross(arm)
            + rate.cross(rate.cross(arm))
    }
}
