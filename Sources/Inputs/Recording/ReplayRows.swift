import Geometry
import Model

/// Row of a replay: an angular rate sample, and the estimator's output at its time.
public struct ReplayRow: Hashable, Sendable {
    /// Instant of the angular rate sample.
    public var time: BootTime
    /// Pose; nil if the estimator has none.
    public var pose: PoseEstimate?
    /// Pose of the scene on the earth; nil until a position is known.
    public var map: MapPose?

    package init(time: BootTime, pose: PoseEstimate? = nil, map: MapPose? = nil) {
        self.time = time
        self.pose = pose
        self.map = map
    }
}

/// Published pose of the scene on the earth, by which content is placed.
public struct MapPose: Hashable, Sendable {
    /// Geodetic position of the pose's `positionInScene` according to the published alignment.
    public var position: GeodeticPosition
    /// Yaw of the published alignment: angle by which the scene's east axis is turned from true east, counter-clockwise
    /// seen from above. Unit: radians.
    public var yaw: Double

    /// Makes the pose of the scene on the earth; `yaw` is in radians.
    public init(position: GeodeticPosition, yaw: Double) {
        self.position = position
        self.yaw = yaw
    }
}

/// Pairs angular rate samples with the resulting poses, so that each sample gives one row.
///
/// A pose may come later than its sample, because the estimator waits for a specific force. A sample may have no pose,
/// because the estimator is not initialised or skipped the sample.
struct RowPairing {
    /// Maximum number of samples that wait for a pose; if there are more, the oldest gets a row without a pose.
    private static let maximumWaitingCount = 512
    private var waiting: [BootTime] = []

    mutating func take(sample time: BootTime, row: (ReplayRow) -> Void) {
        waiting.append(time)
        if waiting.count > RowPairing.maximumWaitingCount { row(ReplayRow(time: waiting.removeFirst())) }
    }

    /// Adds a pose. It gets no row if its time is not that of a sample, such as at a clock tick while the sensors are
    /// silent.
    mutating func take(pose: PoseEstimate, map: MapPose?, row: (ReplayRow) -> Void) {
        guard let own = waiting.firstIndex(of: pose.time) else { return }
        for time in waiting[..<own] { row(ReplayRow(time: time)) }
        row(ReplayRow(time: pose.time, pose: pose, map: map))
        waiting.removeFirst(own + 1)
    }

    mutating func finish(row: (ReplayRow) -> Void) {
        for time in waiting { row(ReplayRow(time: time)) }
        waiting.removeAll()
    }
}

/// Selects the samples for which a row is written.
struct RowTimer {
    private let rate: Double?
    private var start: BootTime?
    private var written = 0.0

    /// - Parameter rate: rate of rows; nil for a row at every sample. Unit: hertz.
    init(rate: Double?) { self.rate = rate }

    mutating func isDue(_ time: BootTime) -> Bool {
        guard let rate else { return true }
        let elapsed = time.seconds(since: start ?? time)
        start = start ?? time
        // The recording rounds times. An error of half a nanosecond must not delay a row by a sample.
        let due = (elapsed * rate + 1e-6).rounded(.down)
        guard due >= written else { return false }
        // Rows are counted from the start, so that the mean rate is kept even if it does not divide the sampling rate.
        written = due + 1
        return true
    }
}
