import Geometry
import Model

/// Says when the frame is ready for placements, by every pose: never by waiting.
///
/// It goes with the pose's own state, whose limits come from the same settings, and waits besides for a published alignment
/// that is still far from its target.
public struct ReadinessMonitor: Sendable {
    public private(set) var readiness = FrameReadiness.begin
    private let settings: SceneSettings.Frame
    private var generation: UInt32?
    private var wasReady = false
    /// Since when the frame has not been ready.
    private var since: BootTime?

    public init(settings: SceneSettings.Frame) { self.settings = settings }

    /// Takes the newest pose.
    ///
    /// - Parameters:
    ///   - turn: that the published alignment has still to make, radians.
    ///   - shift: the same over ground at the wearer, metres.
    /// - Returns: whether the readiness is another.
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
