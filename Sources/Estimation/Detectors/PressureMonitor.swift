import Model

/// What the filter remembers of the air pressure: the mean that is being made, and jumps.
package struct PressureMonitor: Sendable {
    /// Whether the filter's offset stands for the air as it is.
    package var hasOffset = false
    /// When the air pressure last corrected the estimate.
    package private(set) var lastCorrection: BootTime?
    private var lastMean: PressureHeight?
    private var latest: BootTime?
    private var outlierSince: BootTime?
    /// Low-passed height, whose distance from the present one tells how fast the body climbs. Unit: metres.
    private var slowHeight = 0.0
    /// The mean in the making: of the stamps after the first, and of the heights.
    private var first = BootTime(nanoseconds: 0)
    private var delays = 0.0
    private var heights = 0.0
    private var count = 0

    /// How long after a correction the barometer counts as at work. Unit: seconds.
    private static let memory = 2.0
    /// Time constant of the slow height. Unit: seconds.
    private static let slowSeconds = 10.0

    package init() {}

    /// Takes a sample; the mean over the last samples when it is time for one.
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
        if let last = lastUse, sample.time.seconds(since: last) < settings.leastInterval { return nil }
        lastUse = sample.time
        defer { count = 0 }
        let delay = Int64(delays / Double(count) * 1e9)
        return PressureHeight(time: first.shifted(by: delay), height: heights / Double(count))
    }

    private var lastUse: BootTime?

    /// By how much the offset's variance grows for the climb since the last mean. Unit: m².
    ///
    /// Source: an error of the scale that stays for `scaleSeconds`, as a random walk.
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

    /// What a height shows of the air.
    enum Verdict: Hashable, Sendable {
        case accepted
        /// Beyond the gate: a door, a tunnel, a bad sample.
        case rejected
        /// Beyond the gate for so long that the air is another one than it was.
        case otherAir
    }

    /// Compares a height with those before.
    @discardableResult
    mutating func note(
        _ outcome: CorrectionOutcome, at time: BootTime, settings: EstimatorSettings.Height
    ) -> Verdict {
        guard !outcome.isAccepted else {
            lastCorrection = time
            outlierSince = nil
            return .accepted
        }
        let since = outlierSince ?? time
        outlierSince = since
        return time.seconds(since: since) >= settings.resetSeconds ? .otherAir : .rejected
    }

    /// The offset is to be found anew.
    mutating func forgetOffset() {
        hasOffset = false
        outlierSince = nil
        lastMean = nil
    }

    /// Whether the height is being measured just now.
    package func isAtWork(at time: BootTime) -> Bool {
        lastCorrection.map { time.seconds(since: $0) <= Self.memory } ?? false
    }
}
