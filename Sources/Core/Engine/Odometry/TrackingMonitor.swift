import Estimation
import Model

/// Determines the tracking state, the limiting reasons and the sources of the poses.
package struct TrackingMonitor: Sendable, Codable {
    private let settings: PublicationSettings.Tracking
    private let initial: EstimatorSettings.Initial
    /// Start of the current frame.
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
    /// Time of the first sample. Silence is measured from this time if a sensor has not delivered any sample.
    private var started: BootTime

    /// Time for which a source counts as active after a correction. Unit: seconds.
    private static let sourceMemory = 2.0
    /// Standard deviation beyond which a fix counts as poor. Unit: metres.
    private static let poorStandardDeviation = 10.0

    /// Standard deviations of the gyroscope bias below which the bias becomes known, and above which it is no longer
    /// known: 0.12 and 0.2 °/s. Such a bias turns an unaided yaw by 10° within a minute or two. Unit: rad/s.
    private static let knownBias = 0.0021
    private static let lostBias = 0.0035
    /// Time for which it is reported that the clock was set back. Unit: seconds.
    private static let clockStepMemory = 10.0

    package init(settings: PublicationSettings.Tracking, initial: EstimatorSettings.Initial, began: BootTime) {
        self.settings = settings
        self.initial = initial
        self.began = began
        started = began
    }

    /// Restarts the monitor in a new frame.
    package mutating func restart(at time: BootTime) {
        began = time
        wasLocalized = false
        state = .initializing
    }

    @inline(__always)
    package func isLevelling(at time: BootTime) -> Bool { time.seconds(since: began) < initial.levellingSeconds }

    /// Whether the inertial sensors have been silent for too long.
    @inline(__always)
    package func isInertialSilent(at time: BootTime) -> Bool {
        !Self.isRecent(lastRate, time, settings.inertialSilence)
            || !Self.isRecent(lastForce, time, settings.inertialSilence)
    }

    mutating func update(
        _ filter: FilterSolution, implausible: LimitingReasons, at time: BootTime
    ) -> LimitingReasons {
        let accuracy = filter.accuracy
        let isLocalized = state == .localized
        let horizontalLimit = settings.horizontalAccuracy + (isLocalized ? settings.horizontalMargin : 0)
        let yawLimit = settings.yawAccuracy + (isLocalized ? settings.yawMargin : 0)
        let isPlaced = accuracy.horizontal.map { $0 <= horizontalLimit } ?? false
        let isDirected = filter.yawAccuracy.map { $0 <= yawLimit } ?? false
        var present = LimitingReasons()
        if isInertialSilent(at: time) {
            present = .silence(
                hasRate: Self.isRecent(lastRate, time, settings.inertialSilence),
                hasForce: Self.isRecent(lastForce, time, settings.inertialSilence))
        }
        if !Self.isRecent(lastMagnetic ?? started, time, settings.magneticSilence) { present.insert(.noMagneticData) }
        if !Self.isRecent(lastFix ?? started, time, settings.gnssSilence) { present.insert(.noGNSSData) }
        if !isPlaced { present.insert(.positionUncertain) }
        if !isDirected { present.insert(.headingUncertain) }
        if filter.headingReference == .none { present.insert(.headingUnknown) }
        if filter.isHeadingUnconfirmed { present.insert(.headingUnconfirmed) }
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

    private static func isRecent(_ last: BootTime?, _ time: BootTime, _ memory: Double) -> Bool {
        last.map { time.seconds(since: $0) <= memory } ?? false
    }

    /// Whether the gyroscope bias is so uncertain that an unaided heading would be lost within about a minute.
    @inline(__always)
    private func isBiasUncertain(_ filter: FilterSolution) -> Bool {
        filter.gyroBiasStandardDeviation
            > (steady.shown.contains(.gyroBiasUncertain) ? Self.knownBias : Self.lostBias)
    }

    /// Returns the sources of the estimate, without the offers of other programs.
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

    /// Sources among the offers of other programs. They are in the solution: to read them from the filter, the compiler
    /// would copy all of it.
    @inline(__always)
    package func offered(_ solution: FilterSolution, at time: BootTime) -> AidingSources {
        var sources = AidingSources()
        if Self.isRecent(solution.lastCameraPose, time, Self.sourceMemory) { sources.insert(.camera) }
        if Self.isRecent(solution.lastOffer, time, Self.sourceMemory) { sources.insert(.aid) }
        return sources
    }

    @inline(__always)
    package func orientationQuality(at time: BootTime) -> TrackingQuality {
        isInertialSilent(at: time) || isLevelling(at: time) ? .inferred : .tracked
    }

    @inline(__always)
    package func positionQuality(_ filter: ErrorStateKalmanFilter, at time: BootTime) -> TrackingQuality {
        let isMeasured = Self.isRecent(filter.gnss.lastAiding, time, settings.gnssSilence)
        return isMeasured && !isInertialSilent(at: time) ? .tracked : .inferred
    }
}

extension LimitingReasons {
    /// Returns the limiting reasons while at least one of the two inertial sensors delivers no samples.
    static func silence(hasRate: Bool, hasForce: Bool) -> LimitingReasons {
        guard hasRate != hasForce else { return .noInertialData }
        return [.noInertialData, hasRate ? .noAccelerometerData : .noGyroscopeData]
    }
}

extension PublicationSettings {
    /// Limits of the tracking states.
    public struct Tracking: Hashable, Sendable {
        /// Horizontal accuracy (68 %) below which the state becomes localized. Raise it to be localized sooner, with a
        /// worse position. Unit: metres. Origin: the other side of the street.
        public var horizontalAccuracy = 10.0
        /// Margin that is added to `horizontalAccuracy` while the state is localized. Raise it to make the state
        /// flicker less. Unit: metres. Origin: the state must not flicker.
        public var horizontalMargin = 10.0
        /// Accuracy of the yaw (68 %) below which the state becomes localized. Raise it to be localized sooner, with a
        /// worse heading. Unit: radians. Origin: 15°, at which one turning can be distinguished from the next.
        public var yawAccuracy = 0.262
        /// Margin that is added to `yawAccuracy` while the state is localized. Raise it to make the state flicker less.
        /// Unit: radians. Origin: 10°, the state must not flicker.
        public var yawMargin = 0.175
        /// Duration of silence of the inertial sensors after which the silence is reported. Raise it to report silence
        /// later. Unit: seconds. Origin: the motion of the head is lost.
        public var inertialSilence = 0.5
        /// Duration of silence of the magnetometer after which the silence is reported. Raise it to report silence
        /// later. Unit: seconds. Origin: the yaw still holds for this time.
        public var magneticSilence = 2.0
        /// Duration of silence of the receiver after which the silence is reported. Raise it to report silence later.
        /// Unit: seconds. Origin: a few fixes at 1 Hz.
        public var gnssSilence = 5.0
        /// Time for which a gap is reported. Raise it to report gaps for longer. Unit: seconds. Origin: a gap is
        /// visible to the wearer.
        public var gapMemory = 2.0
    }
}

/// Reasons as they are published. A reason is shown only after it has lasted for some time, and removed only after it
/// has been absent for some time. Therefore a quantity near its limit does not cause flicker.
package struct SteadyReasons: Sendable, Codable {
    package private(set) var shown = LimitingReasons()
    /// Reasons that differ from the shown ones; `since` holds the time at which each began to differ.
    private var pending = LimitingReasons()
    private var since = InlineArray<17, BootTime>(repeating: BootTime(nanoseconds: 0))
    private var hasBegun = false

    package init() {}

    /// Processes the current reasons and returns the reasons to show.
    ///
    /// - Parameter present: current reasons. The reasons of the first call are shown immediately.
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

    /// Time for which a reason must last before it is shown, or be absent before it is removed. Origin: dangerous
    /// reasons are shown immediately; a walker passes iron within seconds, and a receiver's accuracy varies from fix to
    /// fix. Unit: seconds.
    private static func delay(of reason: LimitingReasons, isComing: Bool) -> Double {
        switch reason {
        case .magneticDisturbance: isComing ? 1 : 5
        case .poorGNSS: isComing ? 2 : 5
        case .noMagneticData, .noGNSSData: isComing ? 0 : 2
        case .implausibleAccelerometer, .implausibleGyroscope, .implausibleMagnetometer: isComing ? 0 : 5
        case .gyroBiasUncertain: 1
        case .noInertialData, .headingUncertain, .positionUncertain: isComing ? 0 : 0.5
        // The delay hides which of the two sensors returns first, because this does not matter.
        case .noAccelerometerData, .noGyroscopeData: isComing ? 0.2 : 0.5
        default: 0
        }
    }
}
