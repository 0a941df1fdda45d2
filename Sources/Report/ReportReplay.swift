import Engine
import Geodesy
import Messages
import Model
import Scene

/// Takes a recording through the engine and notes what a report tells.
public struct ReportReplay: ~Copyable {
    private var engine: Engine
    private var report: WalkReport
    private var isPrepared = false
    private var measurements = 0
    private var poses = 0

    /// - Parameters:
    ///   - title: such as the name of the recording.
    ///   - engine: as at a start.
    public init(title: String, engine: consuming Engine = Engine()) {
        self.engine = engine
        report = WalkReport(title: title)
    }

    /// What the recording's estimator began with; only the first has an effect.
    public mutating func prepare(_ start: WarmStart) {
        guard !isPrepared else { return }
        isPrepared = true
        engine.prepare(start)
    }

    /// Takes the next measurement in order of arrival.
    public mutating func feed(_ measurement: Measurement) {
        measurements += 1
        report.take(time: measurement.time)
        var newPoses = 0
        var hasCorrection = false
        engine.feed(measurement) { event in
            switch event {
            case .pose: newPoses += 1
            case .frame: hasCorrection = true
            default: break
            }
        }
        if case .fix(let fix) = measurement { report.take(fix) }
        if hasCorrection { takeNewestCorrection() }
        guard newPoses > 0, let pose = engine.pose else { return }
        poses += newPoses
        guard report.moments.isDue else { return report.take(pose, nil) }
        let moment = WalkReport.Moment(
            pose, scene: engine.viewpoint?.position, monitor: engine.headingMonitor, axes: engine.axisCorrection
        )
        report.take(pose, moment)
    }

    private mutating func takeNewestCorrection() {
        let history = engine.frameHistory
        if history.count > 0 { report.take(history[history.count - 1]) }
    }

    /// Since the first measurement. Unit: seconds.
    public var duration: Double { report.duration }

    /// The report, with what can only be told at the end.
    public consuming func finish(warnings: [String] = []) -> WalkReport {
        report.warnings = warnings
        report.facts = [
            .init("Length", elapsedText(report.duration)),
            .init("Measurements", "\(measurements)"),
            .init("Poses", "\(poses)"),
            .init("Fixes", "\(report.fixes.count)"),
            .init("Corrections", "\(report.corrections.count + report.correctionsLeftOut)"),
            .init("At the end", engine.pose.map { $0.state.word.description } ?? "no pose"),
        ]
        return report
    }
}
