import Model
import Engine

/// The measurements of a queue that wait behind the one that is fed to the engine.
package struct Backlog {
    /// Time of the newest; nil if none waits.
    private let newest: BootTime?

    /// Age at which a pose is outdated when newer measurements wait: it cannot be predicted to their time either. A
    /// batch of sensors at their full rate takes a tenth of it. Unit: nanoseconds.
    private static let age = Int64(PosePredictor.limit * 1e9)

    /// - Parameter newest: time of the newest measurement that waits; nil if none does.
    package init(newest: BootTime?) { self.newest = newest }

    /// Whether a pose of this time is of no use to a display, since those of the measurements that wait follow at once.
    ///
    /// Compared with the measurements and not with a clock, so that sensors whose stamps are late by any time have all
    /// their poses sent.
    package func outdates(_ time: BootTime) -> Bool {
        newest.map { $0.nanoseconds - time.nanoseconds > Self.age } ?? false
    }
}
