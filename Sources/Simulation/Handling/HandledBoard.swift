import Geometry
import Measurements

/// A board that somebody handles to calibrate it: its samples, and what is really so.
///
/// Pure and seeded: the same settings give the same measurements. Without errors the sensors satisfy the truth exactly.
public struct HandledBoard: Sendable {
    public var errors: HandledErrors
    public var site: HandlingSite
    public var seed: UInt64
    /// From the sensors' axes to those of the body in which the truth is told.
    public var mount = Rotation3.identity
    /// Of the accelerometer off the point about which the board turns. Frame: body. Unit: metres.
    public var arm = Vector3(0.01, -0.02, 0.03)
    public var magnets: [MagnetPass] = []
    /// Of the first sample.
    public var start = BootTime(nanoseconds: 1_000_000_000)
    /// Accelerometer and gyroscope together. Unit: Hz.
    public var inertialRate = 200
    /// Unit: Hz; 0 is without.
    public var magneticRate = 50

    private let segments: [HandlingSegment]
    private let tremor: HandTremor

    /// - Parameters:
    ///   - handling: what is done with it, from a level pose in some direction on.
    ///   - tremor: of the hand all the while, standard deviation about each axis. Unit: radians.
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
                // One wearer has one gait.
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

    /// From the first sample to the end of the handling.
    public var seconds: Double { segments.last?.ends ?? 0 }

    /// What is really so, some seconds after the first sample.
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

    /// All samples in order of arrival, a specific force before the angular rate of the same instant. Frame: that of
    /// the sensors, raw.
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

/// What is really so at one instant while a board is handled. Frame: body.
public struct HandledTruth: Hashable, Sendable {
    /// After the first sample.
    public var seconds: Double
    public var rotationENUFromBody: Rotation3
    /// What a perfect gyroscope reads. Unit: rad/s.
    public var angularRate: Vector3
    /// What a perfect accelerometer reads. Unit: m/s².
    public var specificForce: Vector3
    /// What a perfect magnetometer reads. Unit: microtesla.
    public var field: Vector3
    /// Of the point about which it turns, from where it began. Frame: ENU. Unit: metres.
    public var positionENU: Vector3
    /// Frame: ENU. Unit: m/s.
    public var velocityENU: Vector3
}
