import Geometry
import Model

/// Readiness of the scene frame for placements, with the reasons why it is not ready.
public struct FrameReadiness: Hashable, Sendable {
    /// State of the frame's readiness.
    public enum State: UInt8, Hashable, Sendable {
        /// The frame has not been accurate enough since it was set.
        case searching
        case ready
        /// The frame was ready, but is no longer accurate enough.
        case lost
        /// The frame has not been ready for a time after which waiting alone is unlikely to help.
        case stuck
    }

    /// Reasons why the frame is not ready; empty when the frame is ready.
    @frozen
    public struct Reasons: OptionSet, Hashable, Sendable {
        /// Bit mask of the reasons.
        public let rawValue: UInt16

        /// Makes the reasons from a bit mask.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The initial alignment with gravity is in progress.
        public static let levelling = Reasons(rawValue: 1 << 0)
        package static let noInertialData = Reasons(rawValue: 1 << 1)
        /// No fix has reported a position yet.
        public static let positionUnknown = Reasons(rawValue: 1 << 2)
        package static let positionUncertain = Reasons(rawValue: 1 << 3)
        /// No measurement has determined the heading yet.
        public static let headingUnknown = Reasons(rawValue: 1 << 4)
        package static let headingUncertain = Reasons(rawValue: 1 << 5)
        /// The published alignment is still far from its target.
        public static let settling = Reasons(rawValue: 1 << 6)
        package static let noGNSSData = Reasons(rawValue: 1 << 7)
        package static let poorGNSS = Reasons(rawValue: 1 << 8)
        package static let noMagneticData = Reasons(rawValue: 1 << 9)
        package static let magneticDisturbance = Reasons(rawValue: 1 << 10)
        /// The heading comes from the magnetometer alone.
        public static let headingUnconfirmed = Reasons(rawValue: 1 << 11)
    }

    package var state: State
    /// Reasons why the frame is not ready; empty when the frame is ready.
    public var reasons: Reasons

    package init(state: State, reasons: Reasons) {
        self.state = state
        self.reasons = reasons
    }

    package static let begin = FrameReadiness(state: .searching, reasons: .noInertialData)
}

/// Monitor of the frame's readiness for placements. Only its accuracy makes the frame ready, never the time that has
/// elapsed.
///
/// The monitor follows the state of the pose, whose limits come from the same settings. It also waits until the
/// published alignment is near its target.
public struct ReadinessMonitor: Sendable {
    package private(set) var readiness = FrameReadiness.begin
    private let settings: SceneSettings.Frame
    private var generation: UInt32?
    private var wasReady = false
    /// Time since which the frame has not been ready.
    private var since: BootTime?

    package init(settings: SceneSettings.Frame) { self.settings = settings }

    /// Updates the readiness with the newest pose.
    ///
    /// - Parameters:
    ///   - turn: angle by which the published alignment still has to rotate, in radians.
    ///   - shift: distance by which it still has to move horizontally at the wearer, in metres.
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
            let isPatient = since.lasting(at: pose.time) < settings.patienceSeconds
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
        (.headingUnconfirmed, .headingUnconfirmed),
    ]
}
