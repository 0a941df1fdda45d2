/// How often sensors sample, and how many of their samples wait for each other before they are handed over.
public enum SamplingPace: Hashable, Sendable {
    /// As often as the settings ask, and handed over at once.
    case full
    /// Nobody takes poses: as often as keeps the estimate warm, and several at a time.
    case idle(Rates)

    /// Of idle sensors; one that is slower at full pace stays as slow. Unit: Hz.
    public struct Rates: Hashable, Sendable {
        public var inertial: Double
        public var magnetic: Double
        public var pressure: Double

        public init(inertial: Double, magnetic: Double, pressure: Double) {
            self.inertial = inertial
            self.magnetic = magnetic
            self.pressure = pressure
        }
    }

    /// How long the samples of a batch may wait for each other while idle. Unit: s.
    ///
    /// What a cancelled batch held is lost over a network. Together with the time in which a buffer is set up
    /// anew it has to stay below the tenth of a second that the estimator counts as a gap.
    private static let idleSeconds = 0.06
    /// Of sensors that only correct: late samples are applied at their own time.
    private static let idleAidSeconds = 0.25

    /// So many samples at a time that a batch costs little and, at full pace, nothing waits longer than some 10 ms.
    func batchSize(rate: Double, of kinds: [SensorKind]) -> Int {
        let isInertial = kinds.contains { $0 == .accelerometer || $0 == .gyroscope }
        let seconds = self == .full ? 0.01 : isInertial ? Self.idleSeconds : Self.idleAidSeconds
        return min(max(Int((min(rate, 1e5) * seconds).rounded()), 1), self == .full ? 16 : 256)
    }
}

extension IIOSettings {
    /// The rate asked for a kind at a pace. Unit: Hz.
    func rate(of kind: SensorKind, at pace: SamplingPace) -> Double {
        guard case .idle(let rates) = pace else { return rate(of: kind) }
        switch kind {
        case .accelerometer, .gyroscope: return min(rates.inertial, inertialRate)
        case .magnetometer: return min(rates.magnetic, magneticRate)
        case .barometer: return min(rates.pressure, pressureRate)
        }
    }
}
