import Estimation
import Geometry
import Measurements

/// Monitor of the frame's readiness for placements, which depends on accuracy and never on elapsed time.
///
/// It follows the state of the pose, whose limits come from the same settings, and also waits until the published
/// alignment is near its target.
public struct ReadinessMonitor: Sendable {
    /// Readiness after the last update.
    public private(set) var readiness = FrameReadiness.begin
    private let settings: SceneSettings.Frame
    private var generation: UInt32?
    private var wasReady = false
    /// Time since which the frame has not been ready.
    private var since: BootTime?

    /// Monitor before the first pose.
    public init(settings: SceneSettings.Frame) { self.settings = settings }

    /// Updates the readiness with the newest pose.
    ///
    /// - Parameters:
    ///   - turn: remaining rotation of the published alignment, radians.
    ///   - shift: remaining horizontal displacement of the published alignment at the wearer, metres.
    /// - Returns: whether the readiness changed.
    public mutating func update(_ pose: PoseEstimate, remaining turn: Double, _ shift: Double) -> Bool {
        if pose.generation != generation {
            generation = pose.generation
            wasReady = false
            since = pose.time
        }
        let before = readiness
        let isReady = before.state == .ready
        let reasons = reasons(pose, isSettled: isSettled(turn, shift, isReady: isReady && wasReady))
        if pose.state == .localized, !reasons.contains(.settling) {
            wasReady = true
            since = nil
            readiness = FrameReadiness(state: .ready, reasons: [])
        } else {
            let began = since ?? pose.time
            since = began
            let isPatient = pose.time.seconds(since: began) < settings.patienceSeconds
            let state: FrameReadiness.State = !isPatient ? .stuck : wasReady ? .lost : .searching
            readiness = FrameReadiness(state: state, reasons: reasons)
        }
        return readiness != before
    }

    private func isSettled(_ turn: Double, _ shift: Double, isReady: Bool) -> Bool {
        let degrees = settings.readyYawDegrees + (isReady ? settings.lostMarginDegrees : 0)
        let metres = settings.readyAccuracyMetres + (isReady ? settings.lostMarginMetres : 0)
        return turn <= Angle.radians(degrees: degrees) && shift <= metres
    }

    private func reasons(_ pose: PoseEstimate, isSettled: Bool) -> FrameReadiness.Reasons {
        var reasons = FrameReadiness.Reasons()
        if pose.state == .initializing { reasons.insert(.levelling) }
        if pose.geodetic == nil { reasons.insert(.positionUnknown) }
        if !isSettled { reasons.insert(.settling) }
        for (limiting, reason) in Self.pairs where pose.reasons.contains(limiting) { reasons.insert(reason) }
        return reasons
    }

    private static let pairs: [(LimitingReasons, FrameReadiness.Reasons)] = [
        (.noInertialData, .noInertialData), (.positionUncertain, .positionUncertain),
        (.headingUnknown, .headingUnknown), (.headingUncertain, .headingUncertain), (.noGNSSData, .noGNSSData),
        (.poorGNSS, .poorGNSS), (.noMagneticData, .noMagneticData), (.magneticDisturbance, .magneticDisturbance),
    ]
}

extension EstimatorSettings {
    /// Estimator settings derived from the scene frame's: the same limits make the pose localized and the frame ready.
    public init(_ frame: SceneSettings.Frame) {
        self.init()
        apply(frame)
    }

    /// Applies the scene frame's settings to the estimator; no other code does.
    public mutating func apply(_ frame: SceneSettings.Frame) {
        tracking.horizontalAccuracy = frame.readyAccuracyMetres
        tracking.horizontalMargin = frame.lostMarginMetres
        tracking.yawAccuracy = Self.milliradians(frame.readyYawDegrees)
        tracking.yawMargin = Self.milliradians(frame.lostMarginDegrees)
        scene.originRange = frame.reanchorMetres
    }

    /// Angle in radians rounded to milliradians like the estimator's defaults, so that a replay without settings has
    /// the same states as a daemon with default settings.
    private static func milliradians(_ degrees: Double) -> Double {
        (Angle.radians(degrees: degrees) * 1000).rounded() / 1000
    }
}
