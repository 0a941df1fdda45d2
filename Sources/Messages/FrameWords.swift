import Model

/// The words of the Varlink interfaces for what moves the scene frame.
extension FrameCause {
    public var word: StaticString {
        switch self {
        case .gnssPosition: "gnssPosition"
        case .gnssVelocity: "gnssVelocity"
        case .magnetometer: "magnetometer"
        case .steps: "steps"
        case .barometer: "barometer"
        case .rest: "rest"
        case .unaided: "unaided"
        case .headingSearch: "headingSearch"
        case .headingMonitor: "headingMonitor"
        case .warmStart: "warmStart"
        case .calibration: "calibration"
        case .firstPosition: "firstPosition"
        case .firstHeading: "firstHeading"
        case .newGeneration: "newGeneration"
        case .reanchor: "reanchor"
        }
    }
}

extension FrameCauses {
    /// Calls `body` with the word of each cause in the order of the enumeration.
    public func forEachWord(_ body: (StaticString) -> Void) {
        guard !isEmpty else { return }
        for cause in FrameCause.allCases where contains(cause) { body(cause.word) }
    }
}
