import Synchronization

/// Sampling rates and batch sizes, chosen by whether clients take poses.
public enum SamplingPace: Hashable, Sendable {
    /// The configured rates, with minimal latency.
    case full
    /// No client takes poses: rates that keep the estimate converged, in larger batches.
    case idle(Rates)

    /// Upper limits of the rates of idle sensors. Unit: Hz.
    public struct Rates: Hashable, Sendable {
        /// Limit for accelerometer and gyroscope.
        public var inertial: Double
        /// Limit for the magnetometer.
        public var magnetic: Double
        /// Limit for the barometer.
        public var pressure: Double

        /// Sets the three limits, in Hz.
        public init(inertial: Double, magnetic: Double, pressure: Double) {
            self.inertial = inertial
            self.magnetic = magnetic
            self.pressure = pressure
        }
    }

    /// Duration of an inertial batch while idle. Unit: s.
    ///
    /// Over a network the samples of a cancelled batch are lost. Together with the time to recreate a buffer the
    /// duration has to stay below the 0.1 s that the estimator counts as a gap.
    private static let idleSeconds = 0.06
    /// Duration of a batch of aiding sensors while idle: the filter applies late samples at their own time. Unit: s.
    private static let idleAidSeconds = 0.25

    /// Number of samples per batch: at full pace a latency of about 10 ms, while idle fewer wake-ups.
    func batchSize(rate: Double, of kinds: [SensorKind]) -> Int {
        let isInertial = kinds.contains { $0 == .accelerometer || $0 == .gyroscope }
        let seconds = self == .full ? 0.01 : isInertial ? Self.idleSeconds : Self.idleAidSeconds
        return min(max(Int((min(rate, 1e5) * seconds).rounded()), 1), self == .full ? 16 : 256)
    }
}

extension IIOSettings {
    /// Sampling rate requested of a kind at a pace. Unit: Hz.
    func rate(of kind: SensorKind, at pace: SamplingPace) -> Double {
        guard case .idle(let rates) = pace else { return rate(of: kind) }
        switch kind {
        case .accelerometer, .gyroscope: return min(rates.inertial, inertialRate)
        case .magnetometer: return min(rates.magnetic, magneticRate)
        case .barometer: return min(rates.pressure, pressureRate)
        }
    }
}

/// Requested pace of all devices of a source; set by any thread, applied by the thread of each device.
final class PaceControl: Sendable {
    /// A requested pace with a revision, by which a buffer detects that it was set up for an earlier request.
    struct Request: Sendable {
        var pace = SamplingPace.full
        var revision = 0
    }

    private let state = Mutex(Request())

    var request: Request { state.withLock { $0 } }

    /// Requests a pace; returns the new request, or nil if the pace is unchanged.
    func set(_ pace: SamplingPace) -> Request? {
        state.withLock { request in
            guard request.pace != pace else { return nil }
            request = Request(pace: pace, revision: request.revision + 1)
            return request
        }
    }
}
