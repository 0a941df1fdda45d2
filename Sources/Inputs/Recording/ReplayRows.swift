import Geometry
import Model

/// Row of a replay: an angular rate sample, and what the estimator published at its instant.
public struct ReplayRow: Hashable, Sendable {
    /// Instant of the angular rate sample.
    public var time: BootTime
    /// Nil where the estimator has none.
    public var pose: PoseEstimate?
    /// Nil until a position is known.
    public var map: MapPose?

    /// Makes the row of an instant.
    public init(time: BootTime, pose: PoseEstimate? = nil, map: MapPose? = nil) {
        self.time = time
        self.pose = pose
        self.map = map
    }
}

/// The scene on the earth as published, by which content is laid out.
public struct MapPose: Hashable, Sendable {
    /// Geodetic position that the published alignment gives the pose's `positionInScene`.
    public var position: GeodeticPosition
    /// Yaw of the published alignment, ENU from the scene's own east: counter-clockwise about up. Unit: radians.
    public var yaw: Double

    /// Makes the pose of the scene on the earth; `yaw` is in radians.
    public init(position: GeodeticPosition, yaw: Double) {
        self.position = position
        self.yaw = yaw
    }
}

/// Pairs angular rate samples with the poses that they led to, so that each sample gives one row.
///
/// A pose may come later than its sample, because the estimator waits for a force; a sample may lead to none, because
/// the estimator does not know enough yet or left it out.
struct RowPairing {
    /// Samples that wait for a pose at most: beyond, the oldest has none.
    private static let mostWaiting = 512
    private var waiting: [BootTime] = []

    mutating func take(sample time: BootTime, row: (ReplayRow) -> Void) {
        waiting.append(time)
        if waiting.count > RowPairing.mostWaiting { row(ReplayRow(time: waiting.removeFirst())) }
    }

    /// A pose of no sample's instant, such as one at a clock tick while the sensors are silent, has no row.
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

/// Decides at which samples a row is written.
struct RowTimer {
    private let rate: Double?
    private var start: BootTime?
    private var written = 0.0

    /// - Parameter rate: rows a second; nil for a row at every sample.
    init(rate: Double?) { self.rate = rate }

    mutating func isDue(_ time: BootTime) -> Bool {
        guard let rate else { return true }
        let elapsed = time.seconds(since: start ?? time)
        start = start ?? time
        // Half a nanosecond of the recording's own rounding must not delay a row by a sample.
        let due = (elapsed * rate + 1e-6).rounded(.down)
        guard due >= written else { return false }
        // Counted from the start, so that a rate that does not divide the samples' is kept on average.
        written = due + 1
        return true
    }
}
