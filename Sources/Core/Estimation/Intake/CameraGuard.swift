import Model

/// Selection of the poses of a camera's odometry: poses of one camera at a time, in order, and only as often as they
/// contain new information.
package struct CameraGuard: Sendable, Codable {
    private var source: SourceName?
    private var last: BootTime?

    /// Time without a pose after which another camera is selected. Unit: seconds.
    private static let silence = 2.0

    /// Verdict on a pose; nil for a pose that is skipped without a count: the pose of another camera, or a pose too
    /// soon after the previous pose.
    mutating func admit(_ aid: AidMeasurement, minimumInterval: Double) -> StreamGuard.Verdict? {
        if let last, let source {
            let interval = aid.time.seconds(since: last)
            guard source == aid.source || interval > Self.silence else { return nil }
            if source == aid.source, interval <= 0 { return interval == 0 ? .duplicate : .reordered }
            if source == aid.source, interval < minimumInterval { return nil }
        }
        source = aid.source
        last = aid.time
        return .accepted
    }
}
