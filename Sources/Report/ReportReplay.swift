import Engine
import Estimation
import Geodesy
import Messages
import Model
import Scene

/// Replay of a recording through the engine, which collects the data of a report.
public struct ReportReplay: ~Copyable {
    private var engine: Engine
    private var report: WalkReport
    private var isPrepared = false
    private var measurements = 0
    private var poses = 0

    /// - Parameters:
    ///   - title: title of the report, such as the name of the recording.
    ///   - engine: engine in its initial state.
    public init(title: String, engine: consuming Engine = Engine()) {
        self.engine = engine
        report = WalkReport(title: title)
    }

    /// Sets the warm start with which the recording's estimator began; only the first call has an effect.
    public mutating func prepare(_ start: WarmStart) {
        guard !isPrepared else { return }
        isPrepared = true
        engine.prepare(start)
    }

    /// Continues with the state of the recording's estimator; to be called before the measurements after it.
    ///
    /// - Throws: for a state that cannot be restored; the replay goes on as before.
    public mutating func restore(_ state: EstimatorState) throws(EstimatorStateProblem) { try engine.restore(state) }

    /// Processes the next measurement in order of arrival.
    public mutating func feed(_ measurement: Measurement) {
        measurements += 1
        if measurement.isInRange { report.add(time: measurement.time) }
        var newPoses = 0
        var hasCorrection = false
        engine.feed(measurement) { event in
            switch event {
            case .pose: newPoses += 1
            case .frame: hasCorrection = true
            default: break
            }
        }
        if case .fix(let fix) = measurement, fix.isInRange { report.add(fix) }
        if hasCorrection { takeNewestCorrection() }
        guard newPoses > 0, let pose = engine.pose else { return }
        poses += newPoses
        guard report.moments.isDue else { return report.add(pose, nil) }
        let moment = WalkReport.Moment(
            pose, scene: engine.viewpoint?.position, monitor: engine.headingMonitor, axes: engine.axisCorrection
        )
        report.add(pose, moment)
    }

    private mutating func takeNewestCorrection() {
        let history = engine.frameHistory
        if history.count > 0 { report.add(history[history.count - 1]) }
    }

    /// Time since the first measurement. Unit: seconds.
    public var duration: Double { report.duration }

    /// Returns the report, completed by its summary and the warnings about the recording.
    public consuming func finish(warnings: [String] = []) -> WalkReport {
        report.warnings = warnings
        report.facts = [
            .init("Length", elapsedText(report.duration)),
            .init("Measurements", "\(measurements)"),
            .init("Poses", "\(poses)"),
            .init("Fixes", "\(report.fixes.count)"),
            .init("Corrections", "\(report.corrections.count + report.correctionsLeftOut)"),
            .init("At the end", engine.pose.map { $0.state.message.description } ?? "no pose"),
        ]
        return report
    }
}
