import Linux
import Model
import PlanMatching
import Engine
import Synchronization

/// Entry to record, with the instant at which the engine took or gave it.
struct RecordingEntry: Sendable {
    enum Content: Sendable {
        case measurement(Measurement)
        /// Pose with the number under which it was published.
        case pose(PoseEstimate, sequence: UInt64)
        case frame(FrameEstimate, sequence: UInt64)
        /// Warm start that the estimator begins, or would begin, with here; indirect, since it is large and seldom.
        indirect case warmStart(WarmStart)
        /// Place of the scene on the earth where the recording begins.
        indirect case standing(FrameEstimate)
        /// Places as GeoJSON.
        case places(String)
        /// Route as GeoJSON.
        case route(String)
        /// Sensors as they are by now.
        indirect case sensors(WarmStart.Sensors)
        indirect case line(RecordedLine)
        /// State of the estimator when the recording began under way.
        indirect case estimatorState(EstimatorState)
        /// Plans that the estimator uses from here on.
        indirect case plans(PlanLibrary)
    }

    var time: BootTime
    var content: Content

    /// Whether it counts among the entries of a recording: not what is there for maps and readers alone.
    var isCounted: Bool {
        switch content {
        case .measurement, .pose, .frame, .warmStart, .estimatorState, .plans: true
        case .standing, .places, .route, .sensors, .line: false
        }
    }
}

/// The bounded hand-over from the engine to the recording's thread: when it is full, the newest is dropped and counted,
/// so that what is recorded is without a gap up to there.
final class RecordingQueue: Sendable {
    /// Signalled when the queue is half full, so that the thread need not wake for every sample.
    let wake = EventDescriptor()
    private let contents: Mutex<Contents>
    private let half: Int

    init(capacity: Int) {
        contents = Mutex(Contents(ring: BoundedRing(capacity: capacity)))
        half = capacity / 2
    }

    var count: Int { contents.withLock { $0.ring.count } }

    var dropped: UInt64 { contents.withLock { $0.dropped } }

    /// Drops everything from here on.
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
