import Geometry
import Glibc
import Model

/// Placement of a camera's odometry frame on earth: the position of a reference point and the rotation about up,
/// together with the lasting errors of the camera. The type also holds the covariance of these errors with each other
/// and with the filter's error state.
///
/// The frame is placed at a pose of the filter. The pose is cloned: the placement starts as the filter's own position
/// at that exposure, with all its correlations. Between exposures the reference point moves along with the wearer; this
/// does not change any information. The drift of the odometry is added to the errors of the placement.
///
/// Source: Roumeliotis, Burdick, "Stochastic cloning: a generalized framework for processing relative state
/// measurements", ICRA 2002.
///
/// Equations: docs/filter.md (100) to (105).
package struct CameraFrame: Sendable, Codable {
    package let source: SourceName
    /// Whether the frame is placed; otherwise the next pose places it.
    package private(set) var isPlaced = false
    /// Newest pose that is used.
    package private(set) var pose: CameraPose
    package private(set) var placedAt: BootTime

    /// Reference point: the position of the board at the newest pose, as the filter estimates it. Frame: the camera's
    /// own, z up. Unit: metres.
    private var reference = Vector3.zero
    /// Position of the reference point. Frame: ENU. Unit: metres.
    package var origin = Vector3.zero
    /// Rotation about up from the camera's own frame to ENU, counter-clockwise. Unit: radians.
    package var yaw = 0.0
    /// Natural logarithm of the camera's length scale: reported length divided by true length.
    package var logScale = 0.0
    /// Rotation error of the body attitude that the camera reports. Frame: body. Unit: radians.
    package var mount = Vector3.zero
    /// Delay of the time stamps relative to the exposures. Unit: seconds.
    package var delay = 0.0

    /// Covariance of the errors, in the layout of `CameraError`.
    package var covariance = Matrix<9, 9>()
    /// Covariance of these errors with the error state of the filter.
    package var cross = Matrix<9, 32>()

    init(_ pose: CameraPose, settings: EstimatorSettings.Camera) {
        source = pose.source
        self.pose = pose
        placedAt = pose.time
        func set(_ index: Int, _ deviation: Double) { covariance.rows[index][index] = deviation * deviation }
        set(CameraError.logScale, settings.scaleStandardDeviation)
        for axis in 0..<3 { set(CameraError.mount + axis, settings.mountStandardDeviation) }
        set(CameraError.delay, settings.delayStandardDeviation)
    }

    /// Discards the placement of the frame but keeps the lasting errors of the camera.
    mutating func release() {
        isPlaced = false
        for i in CameraError.placed {
            for j in 0..<ErrorState.count { cross.rows[i][j] = 0 }
            for j in 0..<CameraError.count {
                covariance.rows[i][j] = 0
                covariance.rows[j][i] = 0
            }
        }
    }

    /// Discards all correlations with the filter, because its error state is replaced.
    mutating func detach() {
        release()
        cross = Matrix<9, 32>()
    }

    /// Position at a pose, as the odometry reports it. Frame: ENU. Unit: metres.
    @inline(__always)
    func place(of next: CameraPose) -> Vector3 {
        origin + Rotation3.aboutZ(yaw) * ((next.position - reference) * exp(-logScale))
    }

    /// Rotation of the board, as the odometry reports it. Frame: ENU from body.
    ///
    /// - Parameter rate: angular rate. Frame: body. Unit: rad/s.
    @inline(__always)
    func rotation(at next: CameraPose, rate: Vector3) -> Rotation3 {
        Rotation3.aboutZ(yaw) * next.rotationLevelFromBody * Rotation3.exp(-mount) * Rotation3.exp(rate * delay)
    }

    /// Places the frame. The error of its placement is `rows·δx + own·δc`, where `δx` are the filter's errors and `δc`
    /// the lasting errors of the camera.
    mutating func place(
        at pose: CameraPose, origin: Vector3, yaw: Double, _ rows: Matrix<4, 32>, _ own: Matrix<4, 9>,
        noise: (origin: Double, yaw: Double), _ filter: Covariance
    ) {
        release()
        (self.origin, self.yaw, self.pose, placedAt, isPlaced) = (origin, yaw, pose, pose.time, true)
        reference = pose.position
        let shared = rows * filter + own * cross
        let inner = rows * cross.transpose + own * covariance
        let square = shared * rows.transpose + inner * own.transpose
        for i in CameraError.placed {
            cross.rows[i] = shared.rows[i]
            for j in CameraError.lasting {
                covariance.rows[i][j] = inner.rows[i][j]
                covariance.rows[j][i] = inner.rows[i][j]
            }
            for j in 0...i {
                covariance.rows[i][j] = square.rows[i][j]
                covariance.rows[j][i] = square.rows[i][j]
            }
            covariance.rows[i][i] += i < CameraError.yaw ? noise.origin : noise.yaw
        }
    }

    /// Moves the reference point to the position of the board that the filter has estimated. If measured positions
    /// moved it, the noise of each measurement would enter the derivative of the next, and the estimated scale would be
    /// too small.
    mutating func advance(to place: Vector3) {
        let displacement = place - origin
        carry(by: displacement)
        reference += Rotation3.aboutZ(-yaw) * (displacement * exp(logScale))
        origin = place
    }

    /// Updates the covariance of the placement after the reference point was displaced by w: `δo′ = δo + (e_z × w)·δφ −
    /// w·δλ`.
    private mutating func carry(by displacement: Vector3) {
        func add(_ source: Int, times factor: Double, to target: Int) {
            guard factor != 0 else { return }
            for j in 0..<ErrorState.count { cross.rows[target][j] += factor * cross.rows[source][j] }
            for j in 0..<CameraError.count { covariance.rows[target][j] += factor * covariance.rows[source][j] }
            for j in 0..<CameraError.count { covariance.rows[j][target] += factor * covariance.rows[j][source] }
        }
        add(CameraError.yaw, times: -displacement.y, to: CameraError.origin)
        add(CameraError.yaw, times: displacement.x, to: CameraError.origin + 1)
        add(CameraError.logScale, times: -displacement.x, to: CameraError.origin)
        add(CameraError.logScale, times: -displacement.y, to: CameraError.origin + 1)
        add(CameraError.logScale, times: -displacement.z, to: CameraError.origin + 2)
        covariance.symmetrize()
    }

    /// Adds the drift that the odometry accumulates until a pose.
    ///
    /// - Parameter distance: distance from the reference point. Unit: metres.
    mutating func addDrift(
        to next: CameraPose, distance: Double, _ settings: EstimatorSettings.Camera, noiseScale: Double
    ) {
        let span = next.time.seconds(since: pose.time)
        pose = next
        let (step, turn) = (settings.displacementNoise * noiseScale, settings.yawWalk * noiseScale)
        for axis in 0..<3 { widen(CameraError.origin + axis, by: step * step * distance) }
        widen(CameraError.yaw, by: turn * turn * span)
        widen(CameraError.logScale, by: settings.scaleWalk * settings.scaleWalk * span)
        for axis in 0..<3 { widen(CameraError.mount + axis, by: settings.mountWalk * settings.mountWalk * span) }
        widen(CameraError.delay, by: settings.delayWalk * settings.delayWalk * span)
    }

    private mutating func widen(_ index: Int, by variance: Double) { covariance.rows[index][index] += variance }
}

extension Matrix {
    /// Copies the upper triangle to the lower triangle, to remove rounding differences.
    fileprivate mutating func symmetrize() {
        for i in 0..<Rows {
            for j in 0..<i { rows[i][j] = rows[j][i] }
        }
    }
}

extension EstimatorSettings {
    /// Error model of a camera's odometry.
    public struct Camera: Hashable, Sendable {
        /// Noise of a position, excluding its drift, per axis. Raise it for cameras whose positions jitter. Unit:
        /// metres.
        public var positionNoise = 0.006
        /// Noise of an attitude, excluding its drift, per axis. Raise it for cameras whose attitudes jitter. Unit:
        /// radians. Origin: 0.15° of good visual-inertial odometry, doubled.
        public var attitudeNoise = 5e-3
        /// Drift of the position per square root of the distance, per axis. Raise it for worse odometry. Unit: m/√m.
        public var displacementNoise = 0.015
        /// Drift of the yaw. Raise it for worse odometry. Unit: rad/√s (0.1 °/√s).
        public var yawWalk = 1.75e-3
        /// Initial standard deviation of the logarithm of the length scale. Raise it for a single camera without an
        /// inertial sensor.
        public var scaleStandardDeviation = 0.1
        /// Random walk of the logarithm of the length scale. Raise it for a camera whose scale changes as it moves.
        /// Unit: 1/√s.
        public var scaleWalk = 3e-4
        /// Standard deviation of the rotation relative to the board, per axis. Raise it for a camera that was mounted
        /// by hand. Unit: radians.
        public var mountStandardDeviation = 0.03
        /// Random walk of the rotation relative to the board. Raise it for a frame that bends. Unit: rad/√s.
        public var mountWalk = 1e-4
        /// Standard deviation of the delay of the time stamps. Raise it for time stamps from another clock. Unit:
        /// seconds.
        public var delayStandardDeviation = 0.03
        /// Random walk of the delay of the time stamps. Raise it for a camera whose clock drifts. Unit: s/√s.
        public var delayWalk = 1e-4
        /// Shortest interval between two exposures that are used. Raise it to save computing. Unit: seconds.
        public var minimumInterval = 0.24
        /// Interval between exposures beyond which the frame is placed again. Raise it for a camera that often loses
        /// its features briefly, but keeps its frame. Unit: seconds.
        public var maximumInterval = 1.5
    }
}
extension EstimatorSettings.Camera: Unsaved {}
