import Linux
import Synchronization
import WaymarkClient
import WaymarkInterface

/// Provides the daemon's poses while an output needs them.
///
/// The ring is held only between `acquire` and `release`, because the daemon lowers the sensors' rates while the ring
/// has no client. A thread connects, and reconnects after the daemon's end; reading never waits.
package final class PoseSource {
    private let path: String
    private var users = 0
    private var connection: PoseConnection?

    /// Age above which a pose is ignored, because the daemon or its sensors must have stopped. Unit: ns.
    private static let oldest: Int64 = 1_000_000_000

    /// - Parameter path: socket of the pose ring.
    package init(path: String) { self.path = path }

    /// Holds the ring for another user.
    package func acquire() {
        users += 1
        if connection == nil { connection = PoseConnection(path: path) }
    }

    /// Ends one user's hold; when the last user has ended its hold, the ring is released.
    package func release() {
        precondition(users > 0, "released more often than acquired")
        users -= 1
        if users == 0 { connection = nil }
    }

    /// Returns the pose predicted to a time. Returns nil without a daemon, before its first pose, and if the newest
    /// pose is more than a second old.
    ///
    /// - Parameter time: CLOCK_BOOTTIME. Unit: nanoseconds.
    package func pose(at time: Int64) -> Waymark.RingPose? {
        guard let ring = connection?.ring, ring.isConnected, let newest = ring.newest,
            time - newest.time <= Self.oldest
        else { return nil }
        return newest.predicted(to: time)
    }

    /// Newest pose as clients receive it; nil in the same cases as `pose(at:)`.
    package var newest: Waymark.Pose? { pose(at: BootClock.nanoseconds)?.message }

    /// Reason why there is no ring; nil while there is one, and before the first attempt.
    package var problem: WaymarkError? { connection?.problem }
}

/// Connects to the ring on a thread, and then holds the ring.
private final class PoseConnection: Sendable {
    private struct State {
        var ring: Waymark.PoseRing?
        var problem: WaymarkError?
    }

    private let state = Shared()
    private let worker: WorkerThread

    /// Shared with the thread separately, so that the thread does not keep the connection itself alive.
    private final class Shared: Sendable { let value = Mutex(State()) }

    /// Limits of the pause between two attempts. Unit: seconds.
    private static let firstPause = 0.05
    private static let maximumPause = 2.0

    init(path: String) {
        let state = state
        worker = WorkerThread(name: "pose-ring") { stop in
            var pause = Self.firstPause
            var isReported = false
            while !stop.isSet {
                do throws(WaymarkError) {
                    let ring = try Waymark.PoseRing(path: path)
                    state.value.withLock { $0 = State(ring: ring, problem: nil) }
                    if isReported { Log.notice("poses of the daemon are there") }
                    return
                } catch {
                    state.value.withLock { $0.problem = error }
                    if !isReported { Log.warning("no poses yet: \(error)") }
                    isReported = true
                }
                stop.wait(seconds: pause)
                pause = min(2 * pause, Self.maximumPause)
            }
        }
    }

    deinit { worker.requestStop() }

    var ring: Waymark.PoseRing? { state.value.withLock { $0.ring } }
    var problem: WaymarkError? { state.value.withLock { $0.ring?.problem ?? $0.problem } }
}
