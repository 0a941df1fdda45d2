import Estimation

/// The words of the Varlink interface for the estimator's enumerations.
extension TrackingState {
    public var word: StaticString {
        switch self {
        case .initializing: "initializing"
        case .aligning: "aligning"
        case .localized: "localized"
        case .limited: "limited"
        }
    }
}

extension TrackingQuality {
    public var word: StaticString {
        switch self {
        case .invalid: "invalid"
        case .inferred: "inferred"
        case .tracked: "tracked"
        }
    }
}

extension HeadingReference {
    public var word: StaticString {
        switch self {
        case .none: "none"
        case .magneticNorth: "magneticNorth"
        case .trueNorth: "trueNorth"
        }
    }
}

extension LimitingReasons {
    /// Calls `body` with the word of each reason in the order of their bits.
    public func forEachWord(_ body: (StaticString) -> Void) {
        if contains(.noInertialData) { body("noInertialData") }
        if contains(.noMagneticData) { body("noMagneticData") }
        if contains(.noGNSSData) { body("noGNSSData") }
        if contains(.poorGNSS) { body("poorGNSS") }
        if contains(.magneticDisturbance) { body("magneticDisturbance") }
        if contains(.headingUncertain) { body("headingUncertain") }
        if contains(.positionUncertain) { body("positionUncertain") }
        if contains(.inertialGap) { body("inertialGap") }
    }
}

extension AidingSources {
    /// Calls `body` with the word of each source in the order of their bits.
    public func forEachWord(_ body: (StaticString) -> Void) {
        if contains(.inertial) { body("inertial") }
        if contains(.magnetometer) { body("magnetometer") }
        if contains(.gnssPosition) { body("gnssPosition") }
        if contains(.gnssVelocity) { body("gnssVelocity") }
        if contains(.barometer) { body("barometer") }
        if contains(.rest) { body("rest") }
        if contains(.steps) { body("steps") }
    }
}
