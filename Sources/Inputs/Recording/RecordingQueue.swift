import Linux
import Model
import PlanMatching
import Engine
import Synchronization

/// Entry to record, with the time at which the engine received or produced it.
package struct RecordingEntry: Sendable {
    package enum Content: Sendable {
        case measurement(Measurement)
        /// Pose with the number under which subscribers get it.
        case pose(PoseEstimate, sequence: UInt64)
        case frame(FrameEstimate, sequence: UInt64)
        /// Warm start with which the estimator begins, or would begin, at this point. It is indirect because it is
        /// large and rare.
        indirect case warmStart(WarmStart)
        /// Pose of the scene on the earth that was published before the recording began.
        indirect case standing(FrameEstimate)
        /// Placements of the scene, as GeoJSON.
        case places(String)
        /// Route as GeoJSON; without a route, a collection that has no line.
        case route(String)
        /// Current identities of the sensors, which are opened one after the other.
        indirect case sensors(WarmStart.Sensors)
        /// Line of the journal.
        indirect case line(RecordedLine)
        /// State of the estimator after the measurements offered so far, if the recording began while the daemon was
        /// running.
        indirect case estimatorState(EstimatorState)
        /// Plans that the estimator uses for all later measurements.
        indirect case plans(PlanLibrary)
    }

    var time: BootTime
    var content: Content

    /// Whether the content counts as an entry of a recording; content that is only for maps and readers does not.
    var isCounted: Bool {
        switch content {
        case .measurement, .pose, .frame, .warmStart, .estimatorState, .plans: true
        case .standing, .places, .route, .sensors, .line: false
        }
    }
}

/// Bounded queue from the engine to the recording's thread. A full queue drops and counts the newest entry, so that the
/// recorded part has no gaps.
final class RecordingQueue: Sendable {
    /// Signalled when the queue is half full, so that the thread need not wake for each sample.
    let wake = EventDescriptor()
    private let contents: Mutex<Contents>
    private let half: Int

    init(capacity: Int) {
        contents = Mutex(Contents(ring: BoundedRing(capacity: capacity)))
        half = capacity / 2
    }

    var count: Int { contents.withLock { $0.ring.count } }

    var dropped: UInt64 { contents.withLock { $0.dropped } }

    /// Drops all further entries.
    func close() { contents.withLock { $0.isClosed = true } }

    func push(_ entry: RecordingEntry) {
        if contents.withLock({ $0.push(entry) }) == half { wake.signal() }
    }

    func pop() -> RecordingEntry? { contents.withLock { $0.ring.popFirst() } }

    private struct Contents: ~Copyable {
        var ring: BoundedRing<RecordingEntry>
        var dropped: UInt64 = 0
        var isClosed = false

        /// Returns the number of entries in the queue; 0 if the entry was dropped.
        mutating func push(_ entry: RecordingEntry) -> Int {
            if !isClosed, ring.append(entry) { return ring.count }
            if entry.isCounted { dropped += 1 }
            return 0
        }
    }
}
