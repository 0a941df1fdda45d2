import Glibc

/// Timestamps for the fixes of a receiver that has no time. A timestamp is the arrival minus the usual latency, and it
/// adds an uncertainty to the fix.
package struct ArrivalStamp {
    /// Standard deviation of the latency of an unknown receiver. Receivers report 0.05–0.5 s after the epoch, about
    /// uniformly. This gives half a second divided by √12; gpsd, the line and the computer add as much again. Unit: s.
    private static let unknownLatencySigma = 0.2
    /// Standard deviation of a latency that was measured while the receiver had time. Unit: s.
    private static let knownLatencySigma = 0.1
    /// Number of latencies whose median is used. It has to be odd.
    private static let remembered = 9
    /// Minimum assumed speed: walking speed, because a wearer may start to walk at any time. Unit: m/s.
    private static let walkingSpeed = 1.5
    /// Assumed acceleration of a wearer who starts, stops and turns. Unit: m/s².
    private static let acceleration = 1.5
    /// Metres per degree of latitude on a sphere, which is accurate enough for a speed.
    private static let metresPerDegree = 111_195.0
    /// Longest time between two fixes from which a speed is derived. Unit: s.
    private static let maximumSpan = 5.0

    private let configured: Int64
    private var latencies: [Int64] = []
    private var previous: (latitude: Double, longitude: Double, arrival: Int64)?

    /// Assumes the configured latency.
    package init(latencyNanoseconds: Int64) { configured = latencyNanoseconds }

    /// Time from an epoch to its arrival: the median of the measured latencies, or the configured latency if too few
    /// were measured. Unit: ns.
    package var latency: Int64 { isLearned ? latencies.sorted()[Self.remembered / 2] : configured }

    /// Whether the latency is measured, not configured.
    package var isLearned: Bool { latencies.count == Self.remembered }

    /// Adds the latency of a fix that has a time. The system clock has to be set.
    package mutating func learn(_ latency: Int64) {
        if latencies.count == Self.remembered { latencies.removeFirst() }
        latencies.append(latency)
        previous = nil
    }

    /// Resets the state for another receiver.
    package mutating func restart() { self = ArrivalStamp(latencyNanoseconds: configured) }

    /// Standard deviations that a timestamp from the arrival adds to position and velocity.
    package struct Uncertainty: Hashable {
        /// Standard deviation of the position along each horizontal axis. Unit: metres.
        package var position: Double
        /// Standard deviation of the velocity along each axis. Unit: m/s.
        package var velocity: Double

        package init(position: Double, velocity: Double) {
            self.position = position
            self.velocity = velocity
        }
    }

    /// Uncertainty of a fix without a time, computed from the speed of the receiver and the uncertainty of the fix's
    /// age.
    ///
    /// Until the latency has been measured, it is unknown at which moment of the receiver's interval the measurement
    /// was made. The interval divided by √12 is then added.
    ///
    /// - Parameter interval: interval of the receiver's fixes; nil if it is unknown. Unit: ns.
    package mutating func uncertainty(_ epoch: EpochAssembler.Epoch, interval: Int64?) -> Uncertainty {
        let spread = isLearned ? 0 : Double(interval ?? 1_000_000_000) * 1e-9 / 12.0.squareRoot()
        let latencySigma = isLearned ? Self.knownLatencySigma : Self.unknownLatencySigma
        let age = (latencySigma * latencySigma + spread * spread).squareRoot()
        return Uncertainty(position: speed(epoch) * age, velocity: Self.acceleration * age)
    }

    /// Speed reported by the fix, or else derived from the previous position; at least walking speed. Unit: m/s.
    private mutating func speed(_ epoch: EpochAssembler.Epoch) -> Double {
        guard let place = epoch.fix.position else { return Self.walkingSpeed }
        defer { previous = (place.latitudeDegrees, place.longitudeDegrees, epoch.arrival) }
        if let east = epoch.fix.east, let north = epoch.fix.north {
            return max(Self.walkingSpeed, (east * east + north * north).squareRoot())
        }
        guard let previous else { return Self.walkingSpeed }
        let span = Double(epoch.arrival - previous.arrival) * 1e-9
        guard span > 0, span < Self.maximumSpan else { return Self.walkingSpeed }
        let north = (place.latitudeDegrees - previous.latitude) * Self.metresPerDegree
        let turn = remainder(place.longitudeDegrees - previous.longitude, 360)
        let east = turn * Self.metresPerDegree * cosine(place.latitudeDegrees * .pi / 180)
        return max(Self.walkingSpeed, (east * east + north * north).squareRoot() / span)
    }
}
