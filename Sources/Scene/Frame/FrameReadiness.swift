/// Readiness of the scene frame for placements, with the reasons against it.
public struct FrameReadiness: Hashable, Sendable {
    /// State of the frame's readiness.
    public enum State: UInt8, Hashable, Sendable {
        /// Not yet accurate enough since the frame was set.
        case searching
        case ready
        /// No longer accurate enough.
        case lost
        /// Not ready for so long that waiting alone is unlikely to help.
        case stuck
    }

    /// Reasons why the frame is not ready; empty when it is.
    @frozen
    public struct Reasons: OptionSet, Hashable, Sendable {
        /// Bit mask of the reasons.
        public let rawValue: UInt16

        /// Reasons from a bit mask.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Initial alignment with gravity is in progress.
        public static let levelling = Reasons(rawValue: 1 << 0)
        /// Accelerometer or gyroscope data are missing.
        public static let noInertialData = Reasons(rawValue: 1 << 1)
        /// No fix has reported a position yet.
        public static let positionUnknown = Reasons(rawValue: 1 << 2)
        /// Horizontal accuracy exceeds its limit.
        public static let positionUncertain = Reasons(rawValue: 1 << 3)
        /// No measurement has determined the heading yet.
        public static let headingUnknown = Reasons(rawValue: 1 << 4)
        /// Heading accuracy exceeds its limit.
        public static let headingUncertain = Reasons(rawValue: 1 << 5)
        /// The published alignment is still far from its target.
        public static let settling = Reasons(rawValue: 1 << 6)
        /// GNSS fixes are missing.
        public static let noGNSSData = Reasons(rawValue: 1 << 7)
        /// GNSS accuracy is poor.
        public static let poorGNSS = Reasons(rawValue: 1 << 8)
        /// Magnetometer data are missing.
        public static let noMagneticData = Reasons(rawValue: 1 << 9)
        /// The magnetic field is disturbed.
        public static let magneticDisturbance = Reasons(rawValue: 1 << 10)
    }

    /// State of readiness.
    public var state: State
    /// Reasons why the frame is not ready; empty when it is.
    public var reasons: Reasons

    /// Readiness with a state and its reasons.
    public init(state: State, reasons: Reasons) {
        self.state = state
        self.reasons = reasons
    }

    /// Readiness before the first pose.
    public static let begin = FrameReadiness(state: .searching, reasons: .noInertialData)
}
