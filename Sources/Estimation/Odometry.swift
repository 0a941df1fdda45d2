import Geodesy
import Geometry
import Measurements

/// What one inertial step or one correction brought about; nil is nothing.
public struct OdometryEvents: Sendable {
    /// One for each inertial step.
    public var pose: PoseEstimate?
    /// When a correction gave the scene frame a new target.
    public var frame: FrameEstimate?

    public init(pose: PoseEstimate? = nil, frame: FrameEstimate? = nil) {
        self.pose = pose
        self.frame = frame
    }
}

/// The façade of the estimator: measurements in, poses and corrections out.
///
/// Pure: it knows no clock, file or socket, and the same measurements give the same bytes.
public struct Odometry: ~Copyable {
    private var latest: BootTime?

    public init() {}

    /// Takes the next measurement in order of arrival.
    ///
    /// - Parameter emit: called for each event before the call returns. Forces that come late release several
    ///   inertial steps at once, hence several poses; their stamps always grow.
    public mutating func feed(_ measurement: Measurement, _ emit: (OdometryEvents) -> Void) {
        latest = measurement.time
    }
}
