import Engine
import Geometry
import Messages
import Model
import PlanMatching
import Scene
import WaymarkInterface

/// Replays a recording through the engine, and collects the data of a report in the same pass, beside the published
/// poses.
package struct ReportReplay: ~Copyable {
    private var engine: Engine
    private var report: WalkReport
    private var isPrepared = false
    private var measurements = 0
    /// Poses before the current measurement, from which the innovations of fixes are computed.
    private var recentReplayed = RecentPoses(limit: 512)
    private var recentPublished = RecentPoses(limit: 512)
    private var frames = PublishedFrames()
    /// Time of the replay's last correction, which may still continue.
    private var lastReplayedCorrection: BootTime?
    /// Published entries that precede the first measurement. Times count from the first sample, so that the entries
    /// have to wait here. They come first because samples are recorded in blocks of half a second, after the poses that
    /// result from them.
    private var early: [Published] = []
    private static let maximumEarlyCount = 4096

    private enum Published {
        case pose(PoseInterface.Pose)
        case frame(PoseInterface.Frame)
    }

    /// Buffer for the poses of one measurement. It is reused, so that a measurement needs no allocation.
    private var buffer: [PoseSample] = []

    /// - Parameter engine: engine in its initial state.
    package init(title: String, engine: consuming Engine = Engine()) {
        self.engine = engine
        report = WalkReport(title: title)
    }

    /// Program that made the recording, such as "Waymark 0.1.0 on board"; nil if it is unknown.
    package var origin: String? {
        get { report.origin }
        set { report.origin = newValue }
    }

    /// Sets the warm start with which the recording's estimator began. Only the first call has an effect.
    package mutating func prepare(_ start: WarmStart) {
        guard !isPrepared else { return }
        isPrepared = true
        engine.prepare(start)
    }

    /// Continues with the state of the recording's estimator; called before the measurements that follow the state.
    ///
    /// - Throws: if the state cannot be restored. The replay then continues unchanged.
    package mutating func restore(_ state: EstimatorState) throws(EstimatorStateProblem) {
        try engine.restore(state)
        // The state includes the earlier preparation. A later warm start is still used, as in every replay.
        isPrepared = false
    }

    /// Uses plans for all later measurements.
    package mutating func use(_ library: PlanLibrary) { engine.use(library) }

    /// Processes the next measurement in order of arrival.
    package mutating func feed(_ measurement: Measurement) {
        measurements += 1
        if measurement.isInRange {
            report.add(time: measurement.time)
            takeEarly()
            collect(measurement)
        }
        var poses: [PoseSample] = []
        swap(&poses, &buffer)
        var hasCorrection = false
        var ended: FrameCorrection?
        engine.feed(measurement) { event in
            switch event {
            case .pose(let pose): poses.append(PoseSample(pose))
            case .frame: hasCorrection = true
            case .scene(let event): if case .correction(let correction) = event.event { ended = correction }
            default: break
            }
        }
        if hasCorrection { takeNewestCorrection(ended) }
        for pose in poses {
            report.replayed.add(report.seconds(pose.time), pose)
            report.agreement.add(replayed: pose)
            recentReplayed.add(pose)
        }
        if !poses.isEmpty, let newest = engine.pose { collect(newest) }
        poses.removeAll(keepingCapacity: true)
        buffer = poses
    }

    /// Processes the next published pose. It is ignored if its time or position is out of range.
    package mutating func feed(published pose: PoseInterface.Pose) {
        guard report.start != nil else { return hold(.pose(pose)) }
        guard let sample = PoseSample(pose) else { return }
        if report.published.count == 0 {
            // Published states replace those that were collected from the replay so far.
            (report.states, report.reasons) = ([], [])
        }
        report.published.add(report.seconds(sample.time), sample)
        report.agreement.add(published: sample)
        recentPublished.add(sample)
        frames.add(pose)
        report.add(state: pose.state, reasons: pose.reasons, at: sample.time)
    }

    /// Processes the next published frame. It is ignored if one of its numbers is out of range.
    package mutating func feed(published frame: PoseInterface.Frame) {
        guard report.start != nil else { return hold(.frame(frame)) }
        let isFirst = frames.count == 0
        let corrections = frames.add(frame, monitor: engine.odometry.headingMonitor)
        guard !corrections.isEmpty else { return }
        // Published corrections replace those that were collected from the replay so far.
        if isFirst { (report.corrections, report.correctionsLeftOut) = ([], 0) }
        report.publishedFrames = frames.count
        for correction in corrections { report.add(correction) }
    }

    private mutating func hold(_ published: Published) {
        if early.count < Self.maximumEarlyCount { early.append(published) }
    }

    private mutating func takeEarly() {
        guard !early.isEmpty else { return }
        let held = early
        early = []
        for published in held {
            switch published {
            case .pose(let pose): feed(published: pose)
            case .frame(let frame): feed(published: frame)
            }
        }
    }

    /// Collects the data of a measurement, and compares it with earlier poses.
    private mutating func collect(_ measurement: Measurement) {
        let time = report.seconds(measurement.time)
        switch measurement {
        case .angularRate: report.rates[0].add(time)
        case .specificForce: report.rates[1].add(time)
        case .magneticField(let sample):
            report.rates[2].add(time)
            report.magnetic.add(
                time, sample, engine.odometry.calibrations, rotationENUFromBody: engine.pose?.rotationENUFromBody)
        case .pressure: report.rates[3].add(time)
        case .fix(let fix):
            report.rates[4].add(time)
            collect(fix, time)
        case .aid(let aid): report.offers[Self.place(of: aid.content)].add(time)
        case .calibration, .clock: break
        }
    }

    private static func place(of content: AidMeasurement.Content) -> Int {
        switch content {
        case .odometry: 0
        case .position: 1
        case .sighting: 2
        case .range: 3
        case .heading: 4
        case .height: 5
        }
    }

    private mutating func collect(_ fix: GNSSFix, _ time: Double) {
        if report.startUTC == nil, let utc = fix.utcSeconds, (0..<1e11).contains(utc) { report.startUTC = utc - time }
        report.add(fix)
        let rotation = engine.pose?.rotationENUFromBody
        let poses = report.published.count > 0 ? recentPublished : recentReplayed
        report.innovations.add(
            time, fix, poses, antenna: rotation.map { $0 * fix.antennaInBody } ?? .zero)
        report.magnetic.addModel(time, at: fix.position, utcSeconds: report.startUTC.map { $0 + time })
    }

    private mutating func collect(_ pose: PoseEstimate) {
        if report.published.count == 0 {
            report.add(state: pose.state.message, reasons: pose.reasons.message, at: pose.time)
        }
        let time = report.seconds(pose.time)
        if report.planCollection.isDue(time) {
            report.planCollection.add(time, engine.planUse, of: engine.odometry.library, at: pose.geodetic)
        }
        guard report.yawChecks.isDue(time) else { return }
        report.yawChecks.add(time, monitor: engine.odometry.headingMonitor, axes: engine.axisCorrection())
        report.sceneTrack.add(time, engine.viewpoint?.position)
    }

    /// Adds the newest correction, after the large correction that it ends, if any.
    private mutating func takeNewestCorrection(_ ended: FrameCorrection?) {
        guard let newest = engine.frameHistory.newest else { return }
        if newest.time != lastReplayedCorrection { report.replayedCorrections += 1 }
        lastReplayedCorrection = newest.time
        guard frames.count == 0 else { return }
        if let ended { report.add(ended) }
        report.add(newest)
    }

    /// Time since the first measurement. Unit: seconds.
    package var duration: Double { report.duration }

    /// Completes the report with its summary and the warnings about the recording.
    package consuming func finish(warnings: [String] = []) -> WalkReport {
        report.warnings = warnings
        report.facts = ReportFacts(report, measurements: measurements, last: engine.pose).list
        return report
    }
}
