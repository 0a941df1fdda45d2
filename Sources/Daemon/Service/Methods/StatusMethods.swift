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
struct StatusMethods {
    let isDemonstration: Bool
    let environment: DaemonEnvironment
    let driver: EngineDriver
    /// The server owns the methods, so the reference back is unowned.
    unowned let server: VarlinkServer
    let ring: PoseRingService
    let scene: SceneService
    let plans: PlanRepository
    let aids: AidMethods
    let calibrations: CalibrationService
    let warmStart: WarmStartKeeper
    let recorder: RecordingControl
    let power: PowerControl
    private let start = BootClock.nanoseconds

    func answer(_ request: StatusInterface.Call, _ call: Call) {
        switch request {
        case .getStatus: call.reply(json: StatusInterface.GetStatus.Reply(status: status()))
        case .listDevices: call.reply(json: StatusInterface.ListDevices.Reply(devices: devices()))
        }
    }

    private func devices() -> [StatusInterface.Device] {
        let now = BootClock.nanoseconds
        return environment.sources.flatMap(\.reports).map { $0.message(now: now) }
    }

    private func status() -> StatusInterface.Status {
        let pose = driver.engine.pose
        let reasons = pose?.reasons ?? driver.engine.odometry.missingBeforePose
        let state = pose?.state ?? .initializing
        let slew = driver.engine.odometry.remainingSlew
        let statistics = server.statistics
        let now = BootClock.nanoseconds
        return StatusInterface.Status(
            version: Release.version, uptime: Double(now - start) * 1e-9,
            source: OpenWord(word: environment.origin.rawValue),
            demonstration: isDemonstration ? true : nil, state: state.message, reasons: reasons.message,
            advice: Advice.list(for: state, reasons).map { "\($0.text)" }, sources: (pose?.sources ?? []).message,
            horizontalAccuracy: pose?.accuracy.horizontal,
            verticalAccuracy: pose?.accuracy.vertical,
            orientationYawAccuracy: pose?.accuracy.yaw.map(Angle.degrees(radians:)),
            bestEstimate: driver.engine.currentPosition?.message,
            headingReference: (pose?.headingReference ?? .none).message, motion: pose?.motion?.message,
            headingMonitor: driver.engine.odometry.headingMonitor?.status(now: now),
            axisCorrection: driver.engine.axisCorrection()?.status(now: now),
            readiness: driver.engine.readiness.state.message,
            readinessReasons: driver.engine.readiness.reasons.message, generation: Int(pose?.generation ?? 0),
            slewAngle: Angle.degrees(radians: slew.turn), slewDistance: slew.shift,
            poses: Int(clamping: driver.poses), poseRate: driver.poseRate.perSecond, clients: statistics.clients,
            subscriptions: statistics.streams, poseRing: ring.message,
            power: environment.hasSensors ? power.message : nil,
            warmStart: warmStart.message,
            calibration: StatusInterface.Calibration(
                calibrations, residuals: driver.engine.odometry.residuals,
                proposal: driver.engine.odometry.hardIronProposal),
            devices: devices(),
            recording: recorder.present, damagedPlaces: nilIfEmpty(scene.damagedPlaces.map(\.message)),
            updates: driver.engine.odometry.updates.message, refusedAids: nilIfEmpty(aids.refused),
            poseLatency: environment.origin == .replay ? nil : driver.latency.message,
            missedMessages: statistics.missed, droppedClients: statistics.stalled,
            plan: driver.engine.planUse?.message, damagedPlans: nilIfEmpty(plans.damaged))
    }

    private func nilIfEmpty<Element>(_ elements: [Element]) -> [Element]? { elements.isEmpty ? nil : elements }
}
