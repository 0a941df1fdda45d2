import Model
import Engine

/// The measurements of a queue that wait while an earlier one is fed to the engine.
package struct Backlog {
    /// Time of the newest waiting measurement; nil if none waits.
    private let newest: BootTime?

    /// Maximum time by which a pose may be older than the newest waiting measurement. An older pose is outdated,
    /// because it cannot even be predicted to the time of that measurement (`PosePredictor`). A batch of samples spans
    /// at most this time while clients take poses (`SamplingPace`). Unit: nanoseconds.
    private static let age = Int64(PosePredictor.limit * 1e9)

    /// - Parameter newest: time of the newest waiting measurement; nil if none waits.
    package init(newest: BootTime?) { self.newest = newest }

    /// Whether a pose of this time is useless to a display because the poses of the waiting measurements follow
    /// immediately.
    ///
    /// The pose is compared with the measurements and not with a clock, so that every pose is sent even if the sensors'
    /// stamps are late.
    package func outdates(_ time: BootTime) -> Bool {
        newest.map { $0.nanoseconds - time.nanoseconds > Self.age } ?? false
    }
}
