import Geometry
import Linux
import Messages
import Model
import Persistence
import Scene
import Sensors
import Varlink
import WaymarkInterface

/// `org.waymark.Status`: state of the daemon and its sensors.
final class StatusMethods {
    /// Subject of the status, composed at each call.
    struct Subject {
        var source: String
        var isDemonstration: Bool
        var driver: EngineDriver
        var recorder: RecordingControl
        var warmStart: () -> StatusInterface.WarmStart
        var calibration: () -> StatusInterface.Calibration
        var devices: () -> [DeviceReport]
        var statistics: () -> ServerStatistics
        /// Nil where the settings want no ring.
        var poseRing: () -> StatusInterface.PoseRing?
        /// Nil where measurements do not come from sensors.
        var power: () -> StatusInterface.Power?
        var poseRate: () -> Double
        var damagedPlaces: () -> [DamagedCopy]
        var damagedPlans: () -> [String]
        var refusedAids: () -> [StatusInterface.RefusedAid]
        /// Nil where poses are not those of live samples.
        var poseLatency: () -> LatencyHistogram?
    }

    private let subject: Subject
    private let start = BootClock.nanoseconds

    init(_ subject: Subject) { self.subject = subject }

    func answer(_ request: StatusInterface.Call, _ call: Call) {
        switch request {
        case .getStatus: call.reply(json: StatusInterface.GetStatus.Reply(status: status()))
        case .listDevices: call.reply(json: StatusInterface.ListDevices.Reply(devices: devices()))
        }
    }

    private func devices() -> [StatusInterface.Device] {
        let now = BootClock.nanoseconds
        return subject.devices().map { $0.message(now: now) }
    }

    private func status() -> StatusInterface.Status {
        let driver = subject.driver
        let pose = driver.engine.pose
        let reasons = pose?.reasons ?? driver.engine.missingBeforePose
        let state = pose?.state ?? .initializing
        let slew = driver.engine.remainingSlew
        let statistics = subject.statistics()
        let now = BootClock.nanoseconds
        return StatusInterface.Status(
            version: Release.version, uptime: Double(now - start) * 1e-9, source: OpenWord(word: subject.source),
            demonstration: subject.isDemonstration ? true : nil, state: state.message, reasons: reasons.message,
            advice: Advice.list(for: state, reasons).map { "\($0.text)" }, sources: (pose?.sources ?? []).message,
            horizontalAccuracy: pose?.accuracy.horizontal,
            verticalAccuracy: pose?.accuracy.vertical,
            orientationYawAccuracy: pose?.accuracy.yaw.map(Angle.degrees(radians:)),
            bestEstimate: driver.engine.currentPosition?.message,
            headingReference: (pose?.headingReference ?? .none).message, motion: pose?.motion?.message,
            headingMonitor: driver.engine.headingMonitor?.status(now: now),
            axisCorrection: driver.engine.axisCorrection?.status(now: now),
            readiness: driver.engine.readiness.state.message,
            readinessReasons: driver.engine.readiness.reasons.message, generation: Int(pose?.generation ?? 0),
            slewAngle: Angle.degrees(radians: slew.turn), slewDistance: slew.shift,
            poses: Int(clamping: driver.poses), poseRate: subject.poseRate(), clients: statistics.clients,
            subscriptions: statistics.streams, poseRing: subject.poseRing(), power: subject.power(),
            warmStart: subject.warmStart(), calibration: subject.calibration(), devices: devices(),
            recording: subject.recorder.present, damagedPlaces: damagedPlaces(),
            updates: driver.engine.updates.message, refusedAids: refusedAids(),
            poseLatency: subject.poseLatency()?.message,
            missedMessages: statistics.missed, droppedClients: statistics.stalled,
            plan: driver.engine.planUse?.message, damagedPlans: damagedPlans())
    }

    private func refusedAids() -> [StatusInterface.RefusedAid]? {
        let refused = subject.refusedAids()
        return refused.isEmpty ? nil : refused
    }

    private func damagedPlans() -> [String]? {
        let paths = subject.damagedPlans()
        return paths.isEmpty ? nil : paths
    }

    private func damagedPlaces() -> [StatusInterface.DamagedPlaces]? {
        let copies = subject.damagedPlaces()
        return copies.isEmpty ? nil : copies.map(\.message)
    }
}
