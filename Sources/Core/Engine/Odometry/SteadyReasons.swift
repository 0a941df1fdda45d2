import Estimation
import Model

/// Reasons as published, with hysteresis in time: a reason is shown only after it has lasted, and removed only after it
/// has been absent, so that a quantity near its limit does not cause flicker.
package struct SteadyReasons: Sendable, Codable {
    package private(set) var shown = LimitingReasons()
    /// Reasons that differ from the shown reasons, each with its start in `since`.
    private var pending = LimitingReasons()
    private var since = InlineArray<17, BootTime>(repeating: BootTime(nanoseconds: 0))
    private var hasBegun = false

    package init() {}

    /// Updates with the current reasons, and returns the reasons to show.
    ///
    /// - Parameter present: current reasons. The reasons of the first call are shown at once.
    package mutating func follow(_ present: LimitingReasons, at time: BootTime) -> LimitingReasons {
        guard hasBegun else {
            hasBegun = true
            shown = present
            return shown
        }
        let differing = present.symmetricDifference(shown)
        pending.formIntersection(differing)
        guard !differing.isEmpty else { return shown }
        for bit in 0..<LimitingReasons.count {
            let reason = LimitingReasons(rawValue: 1 << UInt32(bit))
            guard differing.contains(reason) else { continue }
            if pending.insert(reason).inserted { since[bit] = time }
            let delay = Self.delay(of: reason, isComing: present.contains(reason))
            guard time.seconds(since: since[bit]) >= delay else { continue }
            pending.remove(reason)
            shown.formSymmetricDifference(reason)
        }
        return shown
    }

    /// Time for which a reason must last or be absent. Origin: dangerous reasons are shown at once; a walker passes
    /// iron within seconds, and a receiver's accuracy varies from fix to fix. Unit: seconds.
    private static func delay(of reason: LimitingReasons, isComing: Bool) -> Double {
        switch reason {
        case .magneticDisturbance: isComing ? 1 : 5
        case .poorGNSS: isComing ? 2 : 5
        case .noMagneticData, .noGNSSData: isComing ? 0 : 2
        case .implausibleAccelerometer, .implausibleGyroscope, .implausibleMagnetometer: isComing ? 0 : 5
        case .gyroBiasUncertain: 1
        case .noInertialData, .headingUncertain, .positionUncertain: isComing ? 0 : 0.5
        // It does not matter which of the two sensors returns first.
        case .noAccelerometerData, .noGyroscopeData: isComing ? 0.2 : 0.5
        default: 0
        }
    }
}
