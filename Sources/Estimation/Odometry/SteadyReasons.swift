import Model

/// The reasons as they are published: each shows once it has lasted, and goes once it has stayed away, so that a quantity
/// about its limit does not flicker.
package struct SteadyReasons: Sendable {
    package private(set) var shown = LimitingReasons()
    /// Those that differ from what is shown, each with the time since when.
    private var pending = LimitingReasons()
    private var since = InlineArray<16, BootTime>(repeating: BootTime(nanoseconds: 0))
    private var hasBegun = false

    package init() {}

    /// - Parameter present: what holds at this instant. The first is shown as it is.
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

    /// How long a reason has to last, or to stay away. Origin: what is dangerous shows at once; iron passes a walker within
    /// seconds, and a receiver's estimate of its own error swings from fix to fix. Unit: seconds.
    private static func delay(of reason: LimitingReasons, isComing: Bool) -> Double {
        switch reason {
        case .magneticDisturbance: isComing ? 1 : 5
        case .poorGNSS: isComing ? 2 : 5
        case .noMagneticData, .noGNSSData: isComing ? 0 : 2
        case .implausibleAccelerometer, .implausibleGyroscope, .implausibleMagnetometer: isComing ? 0 : 5
        case .gyroBiasUncertain: 1
        case .noInertialData, .headingUncertain, .positionUncertain: isComing ? 0 : 0.5
        // Which of two that come back speaks first means nothing.
        case .noAccelerometerData, .noGyroscopeData: isComing ? 0.2 : 0.5
        default: 0
        }
    }
}
