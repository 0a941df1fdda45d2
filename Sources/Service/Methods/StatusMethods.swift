import Geometry
import Linux
import Messages
import Model
import Sensors
import Varlink

/// `org.waymark.Status`: state of the daemon and its sensors.
final class StatusMethods {
    /// Subject of the status, composed at each call.
    struct Subject {
        var source: String
        var driver: EngineDriver
        var recorder: RecordingControl
        var warmStart: () -> WarmStartStatusMessage
        var calibration: () -> CalibrationStatusMessage
        var devices: () -> [DeviceReport]
        var statistics: () -> ServerStatistics
        /// Nil where it is not the world's sensors that are paced.
        var power: () -> PowerMessage?
        var poseRate: () -> Double
    }

    private let subject: Subject
    private let start = BootClock.nanoseconds

    init(_ subject: Subject) { self.subject = subject }

    func answer(_ call: Call) throws(VarlinkError) {
        switch call.method {
        case "GetStatus": call.reply(["status": status()])
        case "ListDevices": call.reply(["devices": devices()])
        default: throw .methodNotImplemented("\(call.interface).\(call.method)")
        }
    }

    private func devices() -> [DeviceMessage] {
        let now = BootClock.nanoseconds
        return subject.devices().map { DeviceMessage($0, now: now) }
    }

    private func status() -> StatusMessage {
        let pose = subject.driver.latestPose
        let reasons = pose?.reasons ?? subject.driver.missingBeforePose
        let state = pose?.state ?? .initializing
        let slew = subject.driver.remainingSlew
        let statistics = subject.statistics()
        return StatusMessage(
            version: Waymark.version, uptime: Double(BootClock.nanoseconds - start) * 1e-9, source: subject.source,
            state: "\(state.word)", reasons: words(reasons.forEachWord),
            advice: Advice.list(for: state, reasons).map { "\($0.text)" },
            sources: pose.map { words($0.sources.forEachWord) } ?? [],
            horizontalAccuracy: pose?.accuracy.horizontal, verticalAccuracy: pose?.accuracy.vertical,
            orientationYawAccuracy: pose?.accuracy.yaw.map { $0 * 180 / .pi },
            bestEstimate: subject.driver.currentPosition.map(BestEstimateMessage.init),
            headingReference: "\((pose?.headingReference ?? .none).word)",
            motion: pose?.motion.flatMap(MotionMessage.init),
            headingMonitor: subject.driver.headingMonitor.map { HeadingMonitorMessage($0, now: BootClock.nanoseconds) },
            axisCorrection: subject.driver.axisCorrection.map {
                HeadingMonitorMessage($0, now: BootClock.nanoseconds)
            },
            readiness: "\(subject.driver.readiness.state.word)",
            readinessReasons: words(subject.driver.readiness.reasons.forEachWord),
            generation: pose?.generation ?? 0,
            slewAngle: Angle.degrees(radians: slew.turn), slewDistance: slew.shift, poses: subject.driver.poses,
            poseRate: subject.poseRate(), clients: statistics.clients, subscriptions: statistics.streams,
            power: subject.power(), warmStart: subject.warmStart(), calibration: subject.calibration(),
            devices: devices(),
            recording: subject.recorder.present)
    }
}

/// Collects the words that `forEachWord` names.
func words(_ forEachWord: ((StaticString) -> Void) -> Void) -> [String] {
    var words: [String] = []
    forEachWord { words.append("\($0)") }
    return words
}
