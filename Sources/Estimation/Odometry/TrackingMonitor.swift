import Geometry
import Measurements

#if canImport(Glibc)
    import Glibc
#endif

/// Says how good the pose is and what is missing.
package struct TrackingMonitor: Sendable {
    private let settings: EstimatorSettings.Tracking
    private let unnoticedSpeed: Double
    private let levellingSeconds: Double
    /// Of the present frame.
    private var began: BootTime
    private var wasLocalized = false
    package private(set) var state = TrackingState.initializing
    package var lastRate: BootTime?
    package var lastForce: BootTime?
    package var lastMagnetic: BootTime?
    package var lastFix: BootTime?
    package var lastGap: BootTime?

    /// Radius that holds 68 % of a round Gaussian, against the standard deviation per axis.
    package static let radius68 = 1.51
    /// How long after a correction its source counts as at work. Unit: seconds.
    private static let sourceMemory = 2.0
    /// Deviation of a fix that counts as poor. Unit: metres.
    private static let poorDeviation = 10.0

    package init(settings: EstimatorSettings, began: BootTime) {
        self.settings = settings.tracking
        unnoticedSpeed = settings.unaided.unnoticedSpeed
        levellingSeconds = settings.initial.levellingSeconds
        self.began = began
    }

    /// The frame was set anew.
    package mutating func restart(at time: BootTime) {
        began = time
        wasLocalized = false
        state = .initializing
    }

    /// Whether the frame is still being levelled.
    package func isLevelling(at time: BootTime) -> Bool { time.seconds(since: began) < levellingSeconds }

    @inline(__always)
    package func accuracy(_ filter: ErrorStateKalmanFilter) -> PoseAccuracy {
        var result = PoseAccuracy(horizontal: nil, vertical: nil, yaw: nil)
        if filter.gnss.hasPosition {
            let p = ErrorState.position
            var away = 0.0
            if filter.unaided.isActive {
                // The assumption that nobody walks away narrows the covariance, not what is known.
                away = unnoticedSpeed * filter.state.time.seconds(since: filter.unaided.since)
            }
            let mean = (filter.covariance.rows[p][p] + filter.covariance.rows[p + 1][p + 1]) / 2
            result.horizontal = Self.radius68 * (max(0, mean) + away * away).squareRoot()
            result.vertical = filter.deviation(p + 2)
        }
        if filter.heading.isKnown { result.yaw = min(.pi, filter.deviation(ErrorState.yaw)) }
        return result
    }

    /// Whether the inertial sensors have been silent too long.
    package func isInertialSilent(at time: BootTime) -> Bool {
        isSilent(lastRate, time, settings.inertialSilence) || isSilent(lastForce, time, settings.inertialSilence)
    }

    private func isSilent(_ last: BootTime?, _ time: BootTime, _ limit: Double) -> Bool {
        guard let last else { return true }
        return time.seconds(since: last) > limit
    }

    @inline(__always)
    package mutating func update(
        _ filter: ErrorStateKalmanFilter, _ accuracy: PoseAccuracy, at time: BootTime
    ) -> LimitingReasons {
        let isLocalized = state == .localized
        let horizontalLimit = settings.horizontalAccuracy + (isLocalized ? settings.horizontalMargin : 0)
        let yawLimit = settings.yawAccuracy + (isLocalized ? settings.yawMargin : 0)
        let isPlaced = accuracy.horizontal.map { $0 <= horizontalLimit } ?? false
        let isDirected = accuracy.yaw.map { $0 <= yawLimit } ?? false
        let isSilent = isInertialSilent(at: time)
        if isLevelling(at: time) {
            state = .initializing
        } else if isPlaced, isDirected, !isSilent {
            state = .localized
            wasLocalized = true
        } else {
            state = wasLocalized ? .limited : .aligning
        }
        var reasons = LimitingReasons()
        if isSilent { reasons.insert(.noInertialData) }
        if self.isSilent(lastMagnetic, time, settings.magneticSilence) { reasons.insert(.noMagneticData) }
        if self.isSilent(lastFix, time, settings.gnssSilence) { reasons.insert(.noGNSSData) }
        if !isPlaced { reasons.insert(.positionUncertain) }
        if !isDirected { reasons.insert(.headingUncertain) }
        if isPoor(filter) { reasons.insert(.poorGNSS) }
        if isDisturbed(filter, reasons) { reasons.insert(.magneticDisturbance) }
        if let lastGap, time.seconds(since: lastGap) <= settings.gapMemory { reasons.insert(.inertialGap) }
        return reasons
    }

    @inline(__always)
    private func isPoor(_ filter: ErrorStateKalmanFilter) -> Bool {
        guard filter.gnss.hasPosition else { return false }
        let deviation = max(filter.gnss.errorDeviation.x, filter.gnss.errorDeviation.y)
        return filter.gnss.isContradicted || deviation > Self.poorDeviation
    }

    @inline(__always)
    private func isDisturbed(_ filter: ErrorStateKalmanFilter, _ reasons: LimitingReasons) -> Bool {
        guard !reasons.contains(.noMagneticData), filter.magnetics.lastSample != nil else { return false }
        return filter.magnetics.verdict != .good || filter.magnetics.contradictedSince != nil
    }

    @inline(__always)
    package func sources(_ filter: ErrorStateKalmanFilter, at time: BootTime) -> AidingSources {
        var sources = AidingSources()
        func isRecent(_ last: BootTime?) -> Bool {
            last.map { time.seconds(since: $0) <= Self.sourceMemory } ?? false
        }
        if !isInertialSilent(at: time) { sources.insert(.inertial) }
        if isRecent(filter.magnetics.lastCorrection) { sources.insert(.magnetometer) }
        if isRecent(filter.gnss.lastPosition) { sources.insert(.gnssPosition) }
        if isRecent(filter.gnss.lastVelocity) { sources.insert(.gnssVelocity) }
        if let rested = filter.restedAt, time.seconds(since: rested) < 0.2 { sources.insert(.rest) }
        return sources
    }

    package func orientationQuality(at time: BootTime) -> TrackingQuality {
        isInertialSilent(at: time) ? .inferred : isLevelling(at: time) ? .inferred : .tracked
    }

    @inline(__always)
    package func positionQuality(_ filter: ErrorStateKalmanFilter, at time: BootTime) -> TrackingQuality {
        guard !isInertialSilent(at: time), let age = filter.gnss.age(at: time) else { return .inferred }
        return age <= settings.gnssSilence ? .tracked : .inferred
    }
}
