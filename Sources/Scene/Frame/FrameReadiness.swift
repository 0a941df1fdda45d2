/// Whether the frame is good enough to place something in it, and if not, why.
public struct FrameReadiness: Hashable, Sendable {
    public enum State: UInt8, Hashable, Sendable {
        /// Not yet good enough since the frame was set.
        case searching
        case ready
        /// Was ready, and is so no more.
        case lost
        /// Has not been ready for so long that waiting alone will hardly help.
        case stuck
    }

    /// What keeps the frame from being ready; empty when it is.
    @frozen
    public struct Reasons: OptionSet, Hashable, Sendable {
        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The frame is being levelled.
        public static let levelling = Reasons(rawValue: 1 << 0)
        public static let noInertialData = Reasons(rawValue: 1 << 1)
        /// No fix has told a position yet.
        public static let positionUnknown = Reasons(rawValue: 1 << 2)
        public static let positionUncertain = Reasons(rawValue: 1 << 3)
        /// Nothing has told north yet.
        public static let headingUnknown = Reasons(rawValue: 1 << 4)
        public static let headingUncertain = Reasons(rawValue: 1 << 5)
        /// The published alignment is still on its way to a target far off.
        public static let settling = Reasons(rawValue: 1 << 6)
        public static let noGNSSData = Reasons(rawValue: 1 << 7)
        public static let poorGNSS = Reasons(rawValue: 1 << 8)
        public static let noMagneticData = Reasons(rawValue: 1 << 9)
        public static let magneticDisturbance = Reasons(rawValue: 1 << 10)
    }

    public var state: State
    public var reasons: Reasons

    public init(state: State, reasons: Reasons) {
        self.state = state
        self.reasons = reasons
    }

    /// Before the first pose.
    public static let begin = FrameReadiness(state: .searching, reasons: .noInertialData)
}
