import Synchronization

/// Sampling rates, and time for which samples may wait, chosen according to how clients use the poses.
package enum SamplingPace: Hashable, Sendable {
    /// Clients take poses. Sensors have the configured rates, and a sample waits at most `delay` seconds for the next
    /// ones.
    case active(delay: Double)
    /// No client receives poses. Sensors have rates that keep the estimate converged, with larger batches.
    case idle(Rates)

    /// Pace for clients of which the most frequent takes a pose every `interval` seconds. A sample then waits at most a
    /// quarter of that.
    package static func following(interval: Double) -> SamplingPace {
        .active(delay: min(max(interval / 4, shortestDelay), longestDelay))
    }

    /// Each sample is delivered at once.
    package static let immediate = SamplingPace.active(delay: shortestDelay)

    /// Whether no client receives poses.
    var isIdle: Bool { if case .idle = self { true } else { false } }

    /// Upper limits of the rates of idle sensors. Unit: Hz.
    package struct Rates: Hashable, Sendable {
        package var inertial: Double
        package var magnetic: Double
        package var pressure: Double

        package init(inertial: Double, magnetic: Double, pressure: Double) {
            self.inertial = inertial
            self.magnetic = magnetic
            self.pressure = pressure
        }
    }

    /// Shortest delay. It gives one sample per batch up to 400 Hz, and at higher rates no more wake-ups than at 400 Hz.
    /// Unit: s.
    private static let shortestDelay = 0.0025
    /// Longest delay, with which the daemon wakes ten times a second. Unit: s.
    private static let longestDelay = 0.1
    /// Longest delay of aiding sensors that are read in batches of their own. If a sample arrives later after the
    /// inertial samples of its time, the estimator has to repeat these. Unit: s.
    private static let longestAidDelay = 0.01
    /// Duration of an inertial batch while idle. Unit: s.
    ///
    /// Over a network, the samples of a cancelled batch are lost. The duration plus the time to recreate a buffer has
    /// to stay below 0.1 s, because the estimator counts a longer interval as a gap.
    private static let idleSeconds = 0.06
    /// Duration of a batch of aiding sensors while idle. It may be long, because the filter applies late samples at
    /// their own time. Unit: s.
    private static let idleAidSeconds = 0.25

    /// Interval at which buffers are read that hold their samples until then; nil if each sample is read when it
    /// arrives. Unit: s.
    package var readingInterval: Double? {
        switch self {
        case .active(let delay): delay < Self.shortestReadingInterval ? nil : delay
        case .idle: Self.idleReadingInterval
        }
    }

    /// Interval below which reading at an interval would cost more wake-ups than reading the samples of a common sensor
    /// as they arrive. Unit: s.
    private static let shortestReadingInterval = 0.006
    /// Interval of readings while idle. Unit: s.
    private static let idleReadingInterval = 0.25

    /// Number of samples per batch. A batch's duration is both the latency of its first sample and the interval at
    /// which the processor wakes.
    package func batchSize(rate: Double, of kinds: [SensorKind]) -> Int {
        min(max(Int((min(rate, 1e5) * batchSeconds(of: kinds)).rounded()), 1), 256)
    }

    private func batchSeconds(of kinds: [SensorKind]) -> Double {
        let isInertial = kinds.contains { $0 == .accelerometer || $0 == .gyroscope }
        return switch self {
        case .active(let delay): isInertial ? delay : min(delay, Self.longestAidDelay)
        case .idle: isInertial ? Self.idleSeconds : Self.idleAidSeconds
        }
    }

    /// Number of batches that the kernel is asked to hold, so that a delayed reader loses no sample.
    package func batchesHeld(rate: Double, of kinds: [SensorKind]) -> Int {
        let batches = min(rate, 1e5) * Self.heldSeconds / Double(batchSize(rate: rate, of: kinds))
        return min(max(Int(batches.rounded(.up)), Self.minimumHeldBatchCount), Self.maximumHeldBatchCount)
    }

    /// Time for which the kernel has to hold the samples: the longest interval of readings, and as long as a busy board
    /// may delay a thread. Unit: s.
    private static let heldSeconds = 0.6
    /// Limits of the number of batches. The minimum is libiio's default, and the maximum is more than any delay needs.
    private static let minimumHeldBatchCount = 4
    private static let maximumHeldBatchCount = 256
}

extension IIOSettings {
    /// Sampling rate requested for a kind at a pace. Unit: Hz.
    func rate(of kind: SensorKind, at pace: SamplingPace) -> Double {
        guard case .idle(let limits) = pace else { return rate(of: kind) }
        switch kind {
        case .accelerometer, .gyroscope: return min(limits.inertial, rate(of: kind))
        case .magnetometer: return min(limits.magnetic, rate(of: kind))
        case .barometer: return min(limits.pressure, rate(of: kind))
        }
    }

    /// Sampling rate requested at a pace for a kind, on a device that delivers all of `kinds`. Accelerometer and
    /// gyroscope get the higher of their rates, because a scan has a value of each kind. Unit: Hz.
    func rate(of kind: SensorKind, among kinds: [SensorKind], at pace: SamplingPace) -> Double {
        let inertial: [SensorKind] = [.accelerometer, .gyroscope]
        guard inertial.contains(kind) else { return rate(of: kind, at: pace) }
        return inertial.filter(kinds.contains).map { rate(of: $0, at: pace) }.max() ?? rate(of: kind, at: pace)
    }
}

/// Requested pace of all devices of a source. Any thread may set it, and the thread of each device applies it.
final class PaceControl: Sendable {
    /// A requested pace and its revision, by which a buffer detects that it was set up for an earlier request.
    struct Request: Sendable {
        var pace = SamplingPace.immediate
        var revision = 0
    }

    private let state = Mutex(Request())

    var request: Request { state.withLock { $0 } }

    /// Requests a pace. Returns the previous request if this is another pace.
    func set(_ pace: SamplingPace) -> Request? {
        state.withLock { request in
            guard request.pace != pace else { return nil }
            let previous = request
            request = Request(pace: pace, revision: request.revision + 1)
            return previous
        }
    }
}
