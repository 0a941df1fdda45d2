import CPoseRing
import Glibc
import Linux
import Synchronization
import Varlink

extension Waymark {
    /// Newest poses of the daemon, which render threads read from shared memory.
    ///
    /// `newest`, `pose(atDisplayTime:)` and the reading of past poses neither block nor allocate, and make no system
    /// call. Any number of threads may use one object. When the daemon ends, the last poses stay readable, and
    /// `isConnected` is false until a thread of the library has connected to the next daemon.
    ///
    /// ```swift
    /// let ring = try Waymark.PoseRing()
    /// var known: Waymark.RingPose?
    /// while let pose = ring.wait(after: known, timeout: .seconds(1)) {
    ///     let shown = pose.predicted(to: pose.time + 20_000_000)
    ///     print(shown.position, shown.orientation, shown.generation)
    ///     known = pose
    /// }
    /// ```
    public final class PoseRing: Sendable {
        /// Socket of the ring: WAYMARK_POSE_RING if it is set; otherwise the one beside the default socket of a client.
        public static var defaultPath: String {
            if let value = getenv("WAYMARK_POSE_RING"), value.pointee != 0 { return String(cString: value) }
            let socket = Client.defaultPath
            return socket == Client.systemPath ? "/run/waymark/pose-ring.sock" : socket + ".ring"
        }

        private let connections = RingConnections()
        private let worker: WorkerThread

        /// Connects to the ring.
        ///
        /// - Parameter timeout: time limit for the daemon's answer.
        /// - Throws: `ringOff` if the daemon has no ring, `ringLimitReached`, `ringOtherLayout`, `ringOtherBoot`, and
        ///   the errors of any connection.
        public init(path: String = PoseRing.defaultPath, timeout: Duration = .seconds(5)) throws(WaymarkError) {
            connections.replace(with: try RingConnection(path: path, until: Reactor.now + timeout.nanoseconds))
            let keeper = RingKeeper(path: path, connections: connections)
            worker = WorkerThread(name: "waymark-ring") { keeper.run($0) }
        }

        deinit { worker.requestStop() }

        /// Whether a daemon writes this ring. If not, because the daemon has ended and no other has started, the poses
        /// are old.
        public var isConnected: Bool { connections.isConnected }

        /// Reason why there is no connection now; nil while there is one.
        public var problem: WaymarkError? { connections.problem }

        /// Newest pose; nil before the first pose.
        public var newest: RingPose? {
            connections.read { view in
                RingPose(view) { waymark_ring_read_newest($0, $1) }
            }
        }

        /// Pose predicted from the newest pose to a display time, with the daemon's own equations: docs/filter.md (58),
        /// (59).
        ///
        /// Position, orientation, velocities and their accuracies are predicted, at most 0.1 s ahead: `isClamped` is
        /// true for a later time. For a time before the newest pose, the newest pose is returned.
        ///
        /// - Parameter time: CLOCK_BOOTTIME. Unit: nanoseconds.
        public func pose(atDisplayTime time: Int64) -> RingPose? { newest?.predicted(to: time) }

        /// Last pose at or before a time; nil if the time is before the oldest pose in the ring, which holds 64 poses.
        ///
        /// - Parameter time: CLOCK_BOOTTIME. Unit: nanoseconds.
        public func pose(at time: Int64) -> RingPose? {
            connections.read { view in
                RingPose(view) { waymark_ring_read_at($0, time, $1) }
            }
        }

        /// Pose with a sequence number of the current daemon; nil if the ring does not contain it.
        public func pose(sequence: UInt64) -> RingPose? {
            connections.read { view in
                RingPose(view) { waymark_ring_read($0, sequence, $1) ? sequence : 0 }
            }
        }

        /// Waits for a pose that is newer than `pose`, even if the daemon restarts; returns nil after the timeout.
        ///
        /// A new pose wakes at most 64 of the threads that wait for the same ring. The others return within 0.1 s of
        /// the pose.
        ///
        /// - Parameters:
        ///   - pose: the last known pose; nil for none.
        ///   - timeout: longest wait.
        public func wait(after pose: RingPose?, timeout: Duration) -> RingPose? {
            let end = Reactor.now + timeout.nanoseconds
            while true {
                let left = max(0, end - Reactor.now)
                let isNewer = connections.read { view -> Bool? in
                    let known = pose?.daemonGeneration == view.pointee.daemonGeneration ? pose?.sequence ?? 0 : 0
                    return Self.wait(view, known, left)
                }
                if isNewer == true, let newest { return newest }
                guard Reactor.now < end else { return nil }
                // Waits until the library's thread has reconnected.
                usleep(Self.pause)
            }
        }

        /// Interval between two checks for a new connection. Unit: microseconds.
        private static let pause: UInt32 = 10_000

        private static func wait(_ view: UnsafePointer<RingView>, _ known: UInt64, _ nanoseconds: Int64) -> Bool {
            withUnsafePointer(to: view.pointee.ring) { ring in
                waymark_ring_wait(ring, view.pointee.doorbell, view.pointee.socket, known, nanoseconds)
                    == WAYMARK_RING_NEWER
            }
        }
    }
}
