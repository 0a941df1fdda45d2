import Geometry
import Model
import PlanMatching
import Engine

/// Runs the estimator on a recording.
public struct Replay: ~Copyable {
    /// Summary of a replay.
    public struct Summary: Hashable, Sendable {
        package var measurements = 0
        /// Number of poses that the estimator published.
        public var poses = 0
        /// Number of rows that were delivered, at most one for each angular rate sample.
        public var rows = 0
        /// Time from the first measurement to the latest, in seconds of the recording.
        public var duration = 0.0
        /// Last pose; nil if the estimator published none.
        public var lastPose: PoseEstimate?
    }

    private var odometry: Odometry
    /// Plans that replace the recording's plans; nil to use the recording's.
    private let plans: PlanLibrary?
    private var pairing = RowPairing()
    private var timer: RowTimer
    private var isPrepared = false
    private var start: BootTime?
    private var rows: [ReplayRow] = []
    private var summary = Summary()

    private init(odometry: consuming Odometry, plans: PlanLibrary?, rate: Double?) {
        self.odometry = odometry
        self.plans = plans
        if let plans { self.odometry.use(plans) }
        timer = RowTimer(rate: rate)
    }

    /// Feeds every measurement to an estimator. If the recording began while the daemon was running, the estimator
    /// starts in the recorded state or, without one, from the warm start. Otherwise it starts in its initial state.
    ///
    /// - Parameters:
    ///   - plans: plans that constrain the steps, in place of the recording's plans; nil to use the recording's.
    ///   - rate: rate of rows; nil for one row per angular rate sample. Unit: hertz.
    ///   - observe: called for each measurement before it is fed.
    ///   - row: called for each row, in the order of the samples.
    public static func run(
        _ reader: any MeasurementReader,
        odometry: consuming Odometry = Odometry(), plans: PlanLibrary? = nil, rate: Double? = nil,
        measurement observe: (Measurement) -> Void = { _ in }, row: (ReplayRow) throws(RecordingError) -> Void
    ) throws(RecordingError) -> Summary {
        var replay = Replay(odometry: odometry, plans: plans, rate: rate)
        while let measurement = try reader.next() {
            observe(measurement)
            if plans == nil { reader.usePlans { replay.odometry.use($0) } }
            reader.restoreState { state throws(EstimatorStateProblem) in
                replay.odometry = try replay.odometry.restored(state)
            }
            if let start = reader.warmStart { replay.prepare(start) }
            replay.feed(measurement)
            try replay.deliver(row)
        }
        replay.pairing.finish { replay.rows.append($0) }
        try replay.deliver(row)
        return replay.summary
    }

    /// Applies the first warm start. Ignores later ones, because they do not belong to the recording's start.
    private mutating func prepare(_ start: WarmStart) {
        guard !isPrepared else { return }
        isPrepared = true
        odometry.prepare(start)
    }

    private mutating func feed(_ measurement: Measurement) {
        summary.measurements += 1
        let first = start ?? measurement.time
        start = first
        summary.duration = max(summary.duration, measurement.time.seconds(since: first))
        if case .angularRate(let sample) = measurement {
            pairing.take(sample: sample.time) { rows.append($0) }
        }
        // Only a fix moves the tangent plane, and a fix yields no pose. One plane is therefore valid for all poses of a
        // measurement.
        let plane = odometry.plane
        odometry.feed(measurement) { events in
            guard let pose = events.pose else { return }
            summary.poses += 1
            summary.lastPose = pose
            let map = Self.map(under: pose, alignment: events.alignment, plane: plane)
            pairing.take(pose: pose, map: map) { rows.append($0) }
        }
    }

    private static func map(
        under pose: PoseEstimate, alignment: SceneAlignment?, plane: LocalTangentPlane?
    ) -> MapPose? {
        guard pose.geodetic != nil, let plane, let alignment,
            let position = plane.position(ofENU: alignment.pointENU(ofScene: pose.positionInScene))
        else { return nil }
        return MapPose(position: position, yaw: alignment.yaw)
    }

    private mutating func deliver(
        _ deliverRow: (ReplayRow) throws(RecordingError) -> Void
    ) throws(RecordingError) {
        for row in rows where timer.isDue(row.time) {
            summary.rows += 1
            try deliverRow(row)
        }
        rows.removeAll(keepingCapacity: true)
    }
}
