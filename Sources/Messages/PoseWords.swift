import Model

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

    /// Nil for a word that is not known.
    public init?(word: String) {
        let all: [TrackingState] = [.initializing, .aligning, .localized, .limited]
        guard let state = all.first(where: { $0.word.description == word }) else { return nil }
        self = state
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

extension Motion {
    public var word: StaticString {
        switch self {
        case .atRest: "rest"
        case .onFoot: "foot"
        case .riding: "vehicle"
        }
    }
}

extension LimitingReasons {
    /// In the order of their bits.
    private static let words: [(reason: LimitingReasons, word: StaticString)] = [
        (.noInertialData, "noInertialData"), (.noMagneticData, "noMagneticData"), (.noGNSSData, "noGNSSData"),
        (.poorGNSS, "poorGNSS"), (.magneticDisturbance, "magneticDisturbance"),
        (.headingUncertain, "headingUncertain"), (.positionUncertain, "positionUncertain"),
        (.inertialGap, "inertialGap"), (.noAccelerometerData, "noAccelerometerData"),
        (.noGyroscopeData, "noGyroscopeData"), (.gyroBiasUncertain, "gyroBiasUncertain"),
        (.headingUnknown, "headingUnknown"), (.implausibleAccelerometer, "implausibleAccelerometer"),
        (.implausibleGyroscope, "implausibleGyroscope"), (.implausibleMagnetometer, "implausibleMagnetometer"),
        (.clockStepped, "clockStepped"),
    ]

    /// Calls `body` with the word of each reason in the order of their bits.
    public func forEachWord(_ body: (StaticString) -> Void) {
        guard !isEmpty else { return }
        for (reason, word) in Self.words where contains(reason) { body(word) }
    }

    /// The reasons that words name; words that are not known are left out.
    public init(words: some Sequence<String>) {
        self = []
        for word in words {
            for entry in Self.words where entry.word.description == word { insert(entry.reason) }
        }
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

extension WarmStart.Parts {
    /// Calls `body` with the word of each part in the order of their bits.
    public func forEachWord(_ body: (StaticString) -> Void) {
        if contains(.gyroBias) { body("gyroBias") }
        if contains(.accelerometerBias) { body("accelerometerBias") }
        if contains(.hardIron) { body("hardIron") }
        if contains(.place) { body("place") }
        if contains(.stepScale) { body("stepScale") }
        if contains(.velocityDelay) { body("velocityDelay") }
    }
}
