import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// Tracking state, accuracies and limiting reasons of the poses.
package struct TrackingMonitor: Sendable {
    private let settings: EstimatorSettings.Tracking
    private let unnoticedSpeed: Double
    private let levellingSeconds: Double
    /// Begin of the present frame.
    private var began: BootTime
    private var wasLocalized = false
    package private(set) var state = TrackingState.initializing
    package var lastRate: BootTime?
    package var lastForce: BootTime?
    package var lastMagnetic: BootTime?
    package var lastFix: BootTime?
    package var lastGap: BootTime?
    package var lastClockStep: BootTime?
    private var steady = SteadyReasons()
    /// Time of the first sample, from which silence counts.
    private var started: BootTime

    /// Time after a correction for which its source counts as at work. Unit: seconds.
    private static let sourceMemory = 2.0
    /// Standard deviation from which a fix is poor. Unit: metres.
    private static let poorStandardDeviation = 10.0

    /// Standard deviation of the gyroscope bias below which it is known, and above which it no longer is: 0.12 and 0.2
    /// °/s, by which an unaided yaw is off by 10° after a minute or two. Unit: rad/s.
    private static let knownBias = 0.0021
    private static let lostBias = 0.0035
    /// Time for which a step of the clock is reported. Unit: seconds.
    private static let clockStepMemory = 10.0

    package init(settings: EstimatorSettings, began: BootTime) {
        self.settings = settings.tracking
        unnoticedSpeed = settings.unaided.unnoticedSpeed
        levellingSeconds = settings.initial.levellingSeconds
        self.began = began
        started = began
    }

    /// Starts again in a new frame.
    package mutating func restart(at time: BootTime) {
        began = time
        wasLocalized = false
        state = .initializing
    }

    /// Whether the frame is still being levelled.
    @inline(__always)
    package func isLevelling(at time: BootTime) -> Bool { time.seconds(since: began) < levellingSeconds }

    /// Accuracies of position and yaw, by the covariance.
    ///
    /// Equations: docs/filter.md (56), (57).
    @inline(__always)
    package func accuracy(_ filter: ErrorStateKalmanFilter) -> PoseAccuracy {
        var result = PoseAccuracy(horizontal: nil, vertical: nil, yaw: nil)
        if filter.gnss.hasPosition {
            let p = ErrorState.position
            var away = 0.0
            if filter.unaided.isActive {
                // That the wearer stays is only assumed: the covariance is too small by the unnoticed motion. Steps are
                // noticed.
                let unnoticed = unnoticedSpeed * filter.state.time.seconds(since: filter.unaided.since)
                away = unnoticed * unnoticed + (filter.unaided.anchorVariance ?? 0)
            }
            away += Self.rideVariance(filter)
            let mean = (filter.covariance.rows[p][p] + filter.covariance.rows[p + 1][p + 1]) / 2
            let doubt = filter.gnss.doubt(filter.state.gnssError)
            let variance = max(0, mean) + filter.gnss.lastingVariance + away + doubt * doubt
            result.horizontal = PoseAccuracy.radius68 * variance.squareRoot()
            result.vertical = filter.standardDeviation(p + 2)
        }
        if filter.heading.isKnown { result.yaw = min(.pi, filter.standardDeviation(ErrorState.yaw)) }
        return result
    }

    /// Variance by braking and turning of a vehicle without fixes. Unit: m².
    @inline(__always)
    private static func rideVariance(_ filter: ErrorStateKalmanFilter) -> Double {
        guard filter.modes.isRiding, let age = filter.gnss.age(at: filter.state.time), age > rideSilence else {
            return 0
        }
        let away = filter.settings.vehicle.wayShare * filter.gnss.lastSpeed * age
        return away * away
    }

    /// Age of the last fix from which that variance grows. Unit: seconds.
    private static let rideSilence = 1.5

    /// Whether the inertial sensors have been silent too long.
    @inline(__always)
    package func isInertialSilent(at time: BootTime) -> Bool {
        Self.isSilent(lastRate, time, settings.inertialSilence)
            || Self.isSilent(lastForce, time, settings.inertialSilence)
    }

    private static func isSilent(_ last: BootTime?, _ time: BootTime, _ limit: Double) -> Bool {
        guard let last else { return true }
        return time.seconds(since: last) > limit
    }

    @inline(__always)
    mutating func update(
        _ filter: FilterSummary, _ accuracy: PoseAccuracy, implausible: LimitingReasons, at time: BootTime
    ) -> LimitingReasons {
        let isLocalized = state == .localized
        let horizontalLimit = settings.horizontalAccuracy + (isLocalized ? settings.horizontalMargin : 0)
        let yawLimit = settings.yawAccuracy + (isLocalized ? settings.yawMargin : 0)
        let isPlaced = accuracy.horizontal.map { $0 <= horizontalLimit } ?? false
        let isDirected = accuracy.yaw.map { $0 <= yawLimit } ?? false
        var present = LimitingReasons()
        if isInertialSilent(at: time) { present.formUnion(silentSensors(at: time)) }
        if Self.isSilent(lastMagnetic ?? started, time, settings.magneticSilence) { present.insert(.noMagneticData) }
        if Self.isSilent(lastFix ?? started, time, settings.gnssSilence) { present.insert(.noGNSSData) }
        if !isPlaced { present.insert(.positionUncertain) }
        if !isDirected { present.insert(.headingUncertain) }
        if !filter.isHeadingKnown { present.insert(.headingUnknown) }
        if isBiasUncertain(filter) { present.insert(.gyroBiasUncertain) }
        if filter.isGNSSContradicted || filter.gnssStandardDeviation > Self.poorStandardDeviation {
            present.insert(.poorGNSS)
        }
        if filter.isFieldDisturbed, !present.contains(.noMagneticData) { present.insert(.magneticDisturbance) }
        if Self.isRecent(lastGap, time, settings.gapMemory) { present.insert(.inertialGap) }
        if Self.isRecent(lastClockStep, time, Self.clockStepMemory) { present.insert(.clockStepped) }
        let reasons = steady.follow(present.union(implausible), at: time)
        updateState(isBlocked: !reasons.isDisjoint(with: .blocking), at: time)
        return reasons
    }

    private mutating func updateState(isBlocked: Bool, at time: BootTime) {
        if isLevelling(at: time) {
            state = .initializing
        } else if isBlocked {
            state = wasLocalized ? .limited : .aligning
        } else {
            state = .localized
            wasLocalized = true
        }
    }

    private func silentSensors(at time: BootTime) -> LimitingReasons {
        let hasRate = !Self.isSilent(lastRate, time, settings.inertialSilence)
        let hasForce = !Self.isSilent(lastForce, time, settings.inertialSilence)
        if hasRate { return [.noInertialData, .noAccelerometerData] }
        return hasForce ? [.noInertialData, .noGyroscopeData] : .noInertialData
    }

    private static func isRecent(_ last: BootTime?, _ time: BootTime, _ memory: Double) -> Bool {
        last.map { time.seconds(since: $0) <= memory } ?? false
    }

    /// Whether the bias is so uncertain that an unaided heading would be lost within a minute or so.
    @inline(__always)
    private func isBiasUncertain(_ filter: FilterSummary) -> Bool {
        filter.gyroBiasStandardDeviation
            > (steady.shown.contains(.gyroBiasUncertain) ? Self.knownBias : Self.lostBias)
    }

    @inline(__always)
    package func sources(_ filter: ErrorStateKalmanFilter, at time: BootTime) -> AidingSources {
        var sources = AidingSources()
        func isRecent(_ last: BootTime?) -> Bool { Self.isRecent(last, time, Self.sourceMemory) }
        if !isInertialSilent(at: time) { sources.insert(.inertial) }
        if isRecent(filter.magnetics.lastCorrection) { sources.insert(.magnetometer) }
        if isRecent(filter.gnss.lastPosition) { sources.insert(.gnssPosition) }
        if isRecent(filter.gnss.lastVelocity) { sources.insert(.gnssVelocity) }
        if isRecent(filter.pressure.lastCorrection) { sources.insert(.barometer) }
        if isRecent(filter.gait.lastStep) { sources.insert(.steps) }
        if let rested = filter.restedAt, time.seconds(since: rested) < 0.2 { sources.insert(.rest) }
        return sources
    }

    @inline(__always)
    package func orientationQuality(at time: BootTime) -> TrackingQuality {
        isInertialSilent(at: time) ? .inferred : isLevelling(at: time) ? .inferred : .tracked
    }

    @inline(__always)
    package func positionQuality(_ filter: ErrorStateKalmanFilter, at time: BootTime) -> TrackingQuality {
        guard !isInertialSilent(at: time), let age = filter.gnss.age(at: time) else { return .inferred }
        return age <= settings.gnssSilence ? .tracked : .inferred
    }
}

/// Quantities of the filter for the tracking monitor, read in place: the filter would be copied as a whole.
struct FilterSummary {
    let isHeadingKnown: Bool
    /// Standard deviation of the gyroscope bias, of the worst axis. Unit: rad/s.
    let gyroBiasStandardDeviation: Double
    let isGNSSContradicted: Bool
    /// Standard deviation of the receiver's slow error, of the worse horizontal axis; 0 before the first position.
    /// Unit: metres.
    let gnssStandardDeviation: Double
    /// Whether the magnetometer reports a field that is not that of the place.
    let isFieldDisturbed: Bool

    @inline(__always)
    init(_ filter: ErrorStateKalmanFilter) {
        isHeadingKnown = filter.heading.isKnown
        let bias = ErrorState.gyroBias
        gyroBiasStandardDeviation = max(
            filter.standardDeviation(bias), filter.standardDeviation(bias + 1), filter.standardDeviation(bias + 2))
        let hasPosition = filter.gnss.hasPosition
        isGNSSContradicted = hasPosition && filter.gnss.isContradicted
        gnssStandardDeviation =
            hasPosition ? max(filter.gnss.errorStandardDeviation.x, filter.gnss.errorStandardDeviation.y) : 0
        isFieldDisturbed =
            filter.magnetics.lastSample != nil
            && (filter.magnetics.verdict != .good || filter.magnetics.contradictedSince != nil)
    }
}

extension EstimatorSettings {
    /// Limits of the tracking states.
    public struct Tracking: Hashable, Sendable {
        /// Horizontal accuracy (68 %) that makes the state localized. Raise it to be localized sooner, with a worse
        /// position. Unit: metres.
        public var horizontalAccuracy = 10.0
        /// Margin of the horizontal accuracy before the state is lost. Raise it to make the state flicker less.
        /// Unit: metres.
        public var horizontalMargin = 10.0
        /// Accuracy of the yaw (68 %) that makes the state localized. Raise it to be localized sooner, with a worse
        /// heading. Unit: radians.
        public var yawAccuracy = 0.262
        /// Margin of the yaw accuracy before the state is lost. Raise it to make the state flicker less. Unit: radians.
        public var yawMargin = 0.175
        /// Silence of the inertial sensors that is reported. Raise it to report it later. Unit: seconds.
        public var inertialSilence = 0.5
        /// Silence of the magnetometer that is reported. Raise it to report it later. Unit: seconds.
        public var magneticSilence = 2.0
        /// Silence of the receiver that is reported. Raise it to report it later. Unit: seconds.
        public var gnssSilence = 5.0
        /// Time for which a gap is reported. Raise it to report it for longer. Unit: seconds.
        public var gapMemory = 2.0
        /// Makes the defaults.
        public init() {}
    }
}

extension TrackingMonitor: StateCoded {
    package mutating func code(_ coder: inout StateCoder) {
        coder.leave("settings", "unnoticedSpeed", "levellingSeconds")
        coder.code(&began, "began")
        coder.code(&wasLocalized, "wasLocalized")
        coder.code(&state, "state", among: [.initializing, .aligning, .localized, .limited])
        coder.code(&lastRate, "lastRate")
        coder.code(&lastForce, "lastForce")
        coder.code(&lastMagnetic, "lastMagnetic")
        coder.code(&lastFix, "lastFix")
        coder.code(&lastGap, "lastGap")
        coder.code(&lastClockStep, "lastClockStep")
        coder.code(&steady, "steady")
        coder.code(&started, "started")
    }
}
