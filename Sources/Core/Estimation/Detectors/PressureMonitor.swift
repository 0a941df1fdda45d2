import Model

/// Monitors the heights that air pressure indicates: averages them and detects climbs and jumps.
package struct PressureMonitor: Sendable, Codable {
    /// Whether the filter's pressure offset is valid for the current air mass.
    package var hasOffset = false
    /// Time of the last accepted height.
    package private(set) var lastCorrection: BootTime?
    private var lastMean: PressureHeight?
    private var latest: BootTime?
    private var outlierSince: BootTime?
    /// Low-passed height. The current height minus this height indicates the rate of climb. Unit: metres.
    private var slowHeight = 0.0
    /// Time stamp of the first sample in the current mean.
    private var first = BootTime(nanoseconds: 0)
    /// Sum of the delays of the later samples after the first. Unit: seconds.
    private var delays = 0.0
    /// Sum of the heights. Unit: metres.
    private var heights = 0.0
    private var count = 0

    /// Time for which the barometer counts as working after a correction. Unit: seconds.
    private static let memory = 2.0
    /// Time constant of the slow height. Unit: seconds.
    private static let slowSeconds = 10.0

    /// Adds a sample; returns the mean of the last samples once it is complete.
    mutating func add(_ sample: PressureHeight, settings: EstimatorSettings.Height) -> PressureHeight? {
        if let latest, sample.time.seconds(since: latest) > settings.gapSeconds { count = 0 }
        latest = sample.time
        if count == 0 {
            first = sample.time
            delays = 0
            heights = 0
        }
        delays += sample.time.seconds(since: first)
        heights += sample.height
        count += 1
        if let last = lastUse, sample.time.seconds(since: last) < settings.minimumInterval { return nil }
        lastUse = sample.time
        defer { count = 0 }
        let delay = Int64(delays / Double(count) * 1e9)
        return PressureHeight(time: first.shifted(by: delay), height: heights / Double(count))
    }

    private var lastUse: BootTime?

    /// Increase of the offset's variance, caused by the climb since the last mean. Unit: m².
    ///
    /// Models a scale-factor error with a correlation time of `scaleSeconds` as a random walk.
    mutating func climbVariance(_ mean: PressureHeight, settings: EstimatorSettings.Height) -> Double {
        defer { lastMean = mean }
        guard let last = lastMean else {
            slowHeight = mean.height
            return 0
        }
        let interval = min(Self.slowSeconds, max(0, mean.time.seconds(since: last.time)))
        slowHeight += (mean.height - slowHeight) * (interval / Self.slowSeconds)
        let error = settings.scaleError * (mean.height - slowHeight) / Self.slowSeconds
        return error * error * settings.scaleSeconds * interval
    }

    enum Verdict: Hashable, Sendable {
        /// The height is within the gate.
        case accepted
        /// The height is beyond the gate. Causes are a door, a tunnel or a bad sample.
        case rejected
        /// Heights have been beyond the gate for long enough that the ambient pressure must have changed.
        case otherAir
    }

    /// Checks the outcome of a height update against those of earlier heights.
    @discardableResult
    mutating func note(
        _ outcome: CorrectionOutcome, at time: BootTime, settings: EstimatorSettings.Height
    ) -> Verdict {
        guard !outcome.isAccepted else {
            lastCorrection = time
            outlierSince = nil
            return .accepted
        }
        return outlierSince.lasting(at: time) >= settings.resetSeconds ? .otherAir : .rejected
    }

    /// Discards the pressure offset, so that the next height determines it again.
    mutating func forgetOffset() {
        hasOffset = false
        outlierSince = nil
        lastMean = nil
    }

    /// Newest mean height above the level of 1013.25 hPa; nil before the first mean. Unit: metres.
    package var meanHeight: Double? { lastMean?.height }

    /// Whether a height was accepted within the last seconds.
    package func isAtWork(at time: BootTime) -> Bool {
        lastCorrection.map { time.seconds(since: $0) <= Self.memory } ?? false
    }
}

extension PressureMonitor: CheckedState {
    package mutating func settle() -> Bool { delays.magnitude <= 1e6 }
}
