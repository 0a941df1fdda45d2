import Model
import PlanMatching
import Scene

/// Passes each measurement, and then the engine's results, to the parts of the daemon that use them, in the order of
/// the calls below.
final class EngineResults {
    private let announcer: StateAnnouncer
    let publisher: PosePublisher
    let ring: PoseRingService
    let scene: SceneService
    let calibrations: CalibrationService
    let recorder: RecordingControl

    init(
        announcer: StateAnnouncer, publisher: PosePublisher, ring: PoseRingService, scene: SceneService,
        calibrations: CalibrationService, recorder: RecordingControl
    ) {
        self.announcer = announcer
        self.publisher = publisher
        self.ring = ring
        self.scene = scene
        self.calibrations = calibrations
        self.recorder = recorder
    }

    func measurementArrived(_ measurement: Measurement) {
        calibrations.live?.take(measurement)
        recorder.take(measurement)
        if case .fix(let fix) = measurement { publisher.learnUTC(fix) }
    }

    /// Takes the warm start with which the engine begins, before the first inertial sample.
    func engineWasPrepared(with start: WarmStart) { recorder.take(start) }

    func engineWasRestored(utcOffset: Int64?) { publisher.learnUTC(offset: utcOffset) }

    /// Takes the plans that the engine uses for all later measurements.
    func plansWereChanged(to library: PlanLibrary) { recorder.take(library) }

    /// - Parameter isOutdated: whether measurements much newer than the pose are waiting.
    func poseWasEstimated(_ pose: PoseEstimate, isOutdated: Bool) {
        announcer.observe(pose)
        if isOutdated { publisher.skip(pose) } else { publisher.publish(pose) }
        ring.write(pose, utcOffset: publisher.utcOffset, terms: publisher.predictionTerms)
        recorder.take(pose, sequence: publisher.poseSequence)
    }

    func frameWasEstimated(_ frame: FrameEstimate, at time: BootTime) {
        publisher.publish(frame, at: time)
        ring.take(frame)
        recorder.take(frame, sequence: publisher.frameSequence)
    }

    func sceneEventOccurred(_ event: TimedEvent) { scene.take(event) }
}
