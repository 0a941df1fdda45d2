import Model
import Documents

/// Track of a recording, as points for a writer.
///
/// The recording is read twice, so that points before the first fix get the UTC and the geoid separation that later
/// fixes report.
public final class RecordedTrack {
    /// Positions of a recording.
    public enum Content: String, CaseIterable, Sendable {
        /// Poses that the daemon published.
        case fused
        /// Fixes of the receiver.
        case receiver
        /// Poses of the estimator, which is run again on the measurements.
        case replayed
    }

    private let path: String
    private let content: Content
    private let first: TrackReference
    private var reader: (any MeasurementReader)?

    /// Reads the recording once to find the references.
    ///
    /// - Throws: if the path does not lead to a recording. A flaw within the recording makes `read` throw.
    public init(path: String, content: Content) throws(RecordingError) {
        self.path = path
        self.content = content
        first = try Self.reference(RecordingSource.open(path))
    }

    /// Whether UTC is known.
    public var hasUTC: Bool { first.offset != nil }

    /// Flaws that did not make the recording useless; complete after `read`.
    public var warnings: [String] { reader?.warnings ?? [] }

    /// Reads all points.
    ///
    /// - Parameter point: called for each point, in the order in which the points were recorded.
    /// - Throws: errors of `point`, or a flaw of the recording, after delivering all points before the flaw.
    public func read(_ point: (TrackSample) throws(RecordingError) -> Void) throws(RecordingError) {
        let reader = try RecordingSource.open(path)
        self.reader = reader
        switch content {
        case .fused: try readPoses(reader, point)
        case .receiver: try readFixes(reader, point)
        case .replayed: try replay(reader, point)
        }
    }

    /// First known values. The search ends without an error at a flaw, because the second reading finds the flaw too.
    static func reference(_ reader: any MeasurementReader) -> TrackReference {
        var first = TrackReference()
        while !first.isComplete,
            let entry = try? reader.nextEntry(among: first.offset == nil ? [.fix, .pose] : [.fix])
        {
            var next = TrackReference()
            switch entry {
            case .measurement(.fix(let fix)): next.learn(from: fix)
            case .pose(let pose):
                if let time = pose.time.nanoseconds {
                    next.learn(utc: pose.utc?.nanoseconds, at: BootTime(nanoseconds: time))
                }
            default: continue
            }
            first = first.filled(from: next)
        }
        return first
    }

    private func readPoses(
        _ reader: any MeasurementReader, _ point: (TrackSample) throws(RecordingError) -> Void
    ) throws(RecordingError) {
        // Tables have no published poses.
        guard let reader = reader as? RecordingReader else { return }
        var reference = RunningTrackReference(first: first)
        var north = SceneNorth()
        while let entry = try reader.nextEntry(among: [.fix, .pose, .frame]) {
            switch entry {
            case .measurement(.fix(let fix)): reference.learn(from: fix)
            case .frame(let frame): north.learn(from: frame)
            case .pose(let pose):
                if let made = TrackSample(pose, reference, &north) { try point(made) }
            default: continue
            }
        }
    }

    private func readFixes(
        _ reader: any MeasurementReader, _ point: (TrackSample) throws(RecordingError) -> Void
    ) throws(RecordingError) {
        var reference = RunningTrackReference(first: first)
        while let entry = try reader.nextEntry(among: [.fix]) {
            guard case .measurement(.fix(let fix)) = entry else { continue }
            reference.learn(from: fix)
            try point(TrackSample(fix, reference.present))
        }
    }

    private func replay(
        _ reader: any MeasurementReader, _ point: (TrackSample) throws(RecordingError) -> Void
    ) throws(RecordingError) {
        var reference = RunningTrackReference(first: first)
        _ = try Replay.run(
            reader,
            measurement: { if case .fix(let fix) = $0 { reference.learn(from: fix) } },
            row: { row throws(RecordingError) in
                if let pose = row.pose { try point(TrackSample(pose, reference)) }
            })
    }
}
