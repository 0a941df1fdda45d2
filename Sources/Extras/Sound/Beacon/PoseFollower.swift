import Linux
import WaymarkClient

/// Reads poses from the daemon's ring, and predicts them to the time when they are heard. After the first connection
/// the ring reconnects by itself.
final class PoseFollower {
    private let path: String
    private var ring: Waymark.PoseRing?

    /// Age of the measurements in the last pose when it was read. Unit: nanoseconds.
    private(set) var age: Int64 = 0

    /// Maximum time for the daemon to hand over its ring. This thread is blocked meanwhile. Unit: milliseconds.
    private static let patience = 200
    /// Interval between two connection attempts. Unit: ns.
    private static let pause: Int64 = 1_000_000_000

    init(_ reactor: Reactor, path: String) {
        self.path = path
        reactor.every(Self.pause) { [unowned self] in
            if ring == nil { connect() }
        }
        connect()
    }

    private func connect() {
        do throws(WaymarkError) {
            ring = try Waymark.PoseRing(path: path, timeout: .milliseconds(Self.patience))
        } catch .ringOff {
            Log.warning("the daemon has no pose ring: set service.pose_ring = true in its settings")
        } catch {
            Log.debug("no pose ring: \(error)")
        }
    }

    /// Returns the predicted pose; nil without a daemon and before its first pose.
    ///
    /// - Parameters:
    ///   - now: CLOCK_BOOTTIME. Unit: nanoseconds.
    ///   - ahead: time until the pose is heard. Unit: seconds.
    func pose(at now: Int64, ahead: Double) -> BeaconPose? {
        guard let ring, ring.isConnected, let newest = ring.newest else { return nil }
        age = now - newest.time
        return BeaconPose(newest.predicted(to: now + Int64(ahead * 1e9)).message, measuredAt: newest.time)
    }
}
