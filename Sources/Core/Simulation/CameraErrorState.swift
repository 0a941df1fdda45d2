import Geometry
import Model

/// Visual-inertial odometry of a camera that moves with the board: times of its exposures, and poses that drift in the
/// camera's own frame.
struct CameraErrorState: Sendable {
    private let errors: SensorErrors.Camera
    private var random: RandomSource
    private let lengthFactor: Double
    private var ticks: SampleTicks

    /// Number of the camera's current own frame.
    private var reset: UInt32 = 0
    /// Whether the next exposure is the first one in a new own frame.
    private var isNewFrame = true
    /// Current or next period without tracking. Unit: seconds since the start.
    private var loss: ClosedRange<Double>

    /// Azimuth of the own frame: angle about up by which the upright ENU axes are rotated into the own frame. Unit:
    /// radians.
    private var yaw = 0.0
    /// Position that the odometry measured. Frame: own. Unit: metres.
    private var position = Vector3.zero
    /// True position at the previous exposure. Frame: ENU. Unit: metres.
    private var formerENU = Vector3.zero

    /// Rotation from ENU to axes with y up: x east, z south.
    private static let rotationUprightFromENU = Rotation3.about(Vector3(1, 0, 0), by: -.pi / 2)
    private static let up = Vector3(0, 1, 0)
    /// Standard deviation of the origin of the camera's own frame along each axis. Unit: metres.
    private static let originSpread = 3.0
    /// Time of the first exposure; cameras are not synchronised with other sensors. Unit: nanoseconds since the start.
    private static let offset: Int64 = 3_700_000

    /// An exposure whose pose has not arrived yet.
    struct Exposure {
        /// Time of the exposure. Unit: nanoseconds since the start.
        let tick: Int64
        /// Time at which the pose arrives. Unit: nanoseconds since the start.
        let arrival: Int64
        fileprivate let reset: UInt32
        fileprivate let isFirstOfFrame: Bool
        fileprivate let tracking: Double
    }

    init(_ errors: SensorErrors.Camera, random: consuming RandomSource) {
        var random = random
        self.errors = errors
        lengthFactor = 1 + errors.scale * random.normal()
        ticks = SampleTicks(rate: errors.rate, offset: Self.offset)
        loss = Self.loss(after: 0, errors, &random)
        self.random = random
    }

    private static func loss(
        after seconds: Double, _ errors: SensorErrors.Camera, _ random: inout RandomSource
    ) -> ClosedRange<Double> {
        let begin = seconds + random.uniform(in: errors.trackedSeconds)
        return begin...(begin + random.uniform(in: errors.lostSeconds))
    }

    /// Returns the next exposure that has a pose. While tracking is lost, exposures have none.
    mutating func nextExposure() -> Exposure {
        var tick = ticks.take()
        while loss.contains(Self.seconds(tick)) { tick = ticks.take() }
        if Self.seconds(tick) > loss.upperBound {
            loss = Self.loss(after: loss.upperBound, errors, &random)
            reset += 1
            isNewFrame = true
        }
        defer { isNewFrame = false }
        let isPoor = Self.seconds(tick) > loss.lowerBound - SensorErrors.Camera.poorSeconds
        return Exposure(
            tick: tick, arrival: tick + Int64(random.uniform(in: errors.delaySeconds) * 1e9), reset: reset,
            isFirstOfFrame: isNewFrame, tracking: isPoor ? SensorErrors.Camera.poorTracking : 1)
    }

    private static func seconds(_ tick: Int64) -> Double { Double(tick) * 1e-9 }

    /// Makes the pose of an exposure; called once for each exposure, in order.
    ///
    /// - Parameter truth: ground truth at the exposure.
    mutating func pose(of exposure: Exposure, _ truth: WalkTruth) -> OdometryPose {
        if exposure.isFirstOfFrame {
            yaw = random.uniform(in: -.pi...(.pi))
            position = random.normalVector(Self.originSpread)
        } else {
            move(by: truth.positionENU - formerENU)
        }
        formerENU = truth.positionENU
        let rotationOwnFromENU = Rotation3.about(Self.up, by: yaw) * Self.rotationUprightFromENU
        return OdometryPose(
            position: position + random.normalVector(errors.positionNoise),
            rotationOwnFromBody: rotationOwnFromENU * truth.rotationENUFromBody
                * Rotation3.exp(random.normalVector(errors.attitudeNoise)),
            reset: exposure.reset, tracking: exposure.tracking)
    }

    /// Moves the position by a displacement with its errors. Frame: ENU. Unit: metres.
    private mutating func move(by displacementENU: Vector3) {
        let distance = Vector3(displacementENU.x, displacementENU.y, 0).norm
        yaw += errors.yawWalk / Double(errors.rate).squareRoot() * random.normal()
        let error = random.normalVector(errors.positionWalk * distance.squareRoot())
        let displacement = Self.rotationUprightFromENU * displacementENU * lengthFactor + error
        position = position + Rotation3.about(Self.up, by: yaw) * displacement
    }
}
