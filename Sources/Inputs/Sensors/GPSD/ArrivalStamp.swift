import Glibc

/// Stamps of fixes whose receiver has no time: their arrival less the usual latency, with the uncertainty that this
/// adds.
package struct ArrivalStamp {
    /// Standard deviation of the latency of a receiver that is not known. Receivers report 0.05–0.5 s after the epoch,
    /// about evenly: half a second by √12, and as much again for gpsd, the line and the computer. Unit: s.
    private static let unknownLatencySigma = 0.2
    /// Standard deviation of a latency that was measured while the receiver had a time. Unit: s.
    private static let knownLatencySigma = 0.1
    /// Latencies that are remembered; their median is the usual one. An odd number.
    private static let remembered = 9
    /// Least speed that is assumed: that of a walk, by which a wearer may move at any time. Unit: m/s.
    private static let walkingSpeed = 1.5
    /// Acceleration that is assumed, of a wearer who starts, stops and turns. Unit: m/s².
    private static let acceleration = 1.5
    /// Metres of a degree of latitude, on a sphere: a speed needs no more.
    private static let metresPerDegree = 111_195.0
    /// Longest time between two fixes that show a speed. Unit: s.
    private static let longestSpan = 5.0

    private let configured: Int64
    private var latencies: [Int64] = []
    private var previous: (latitude: Double, longitude: Double, arrival: Int64)?

    /// Assumes the latency of the settings.
    package init(latencyNanoseconds: Int64) { configured = latencyNanoseconds }

    /// Time from an epoch to its arrival, in the median of those measured, else by the settings. Unit: ns.
    package var latency: Int64 { isLearned ? latencies.sorted()[Self.remembered / 2] : configured }

    /// Whether the latency was measured.
    package var isLearned: Bool { latencies.count == Self.remembered }

    /// Takes the latency of a fix that has a time, by a system clock that is set.
    package mutating func learn(_ latency: Int64) {
        if latencies.count == Self.remembered { latencies.removeFirst() }
        latencies.append(latency)
        previous = nil
    }

    /// Forgets the receiver, for another one.
    package mutating func restart() { self = ArrivalStamp(latencyNanoseconds: configured) }

    /// Standard deviations that a stamp by arrival adds to those of position and velocity.
    package struct Uncertainty: Hashable {
        /// Along each horizontal axis. Unit: metres.
        package var position: Double
        /// Unit: m/s.
        package var velocity: Double

        package init(position: Double, velocity: Double) {
            self.position = position
            self.velocity = velocity
        }
    }

    /// Uncertainty of a fix without a time, from the speed of the receiver and the uncertainty of its age.
    ///
    /// Without a time it is not known when within its interval the receiver measured: that adds the interval by √12 as
    /// long as the latency was never measured.
    ///
    /// - Parameter interval: interval of the receiver's fixes; nil if it is not known. Unit: ns.
    package mutating func uncertainty(_ epoch: EpochAssembler.Epoch, interval: Int64?) -> Uncertainty {
        let spread = isLearned ? 0 : Double(interval ?? 1_000_000_000) * 1e-9 / 12.0.squareRoot()
        let latencySigma = isLearned ? Self.knownLatencySigma : Self.unknownLatencySigma
        let age = (latencySigma * latencySigma + spread * spread).squareRoot()
        return Uncertainty(position: speed(epoch) * age, velocity: Self.acceleration * age)
    }

    /// Speed by the fix itself, else by the place of the one before; at least that of a walk. Unit: m/s.
    private mutating func speed(_ epoch: EpochAssembler.Epoch) -> Double {
        guard let place = epoch.fix.position else { return Self.walkingSpeed }
        defer { previous = (place.latitudeDegrees, place.longitudeDegrees, epoch.arrival) }
        if let east = epoch.fix.east, let north = epoch.fix.north {
            return max(Self.walkingSpeed, (east * east + north * north).squareRoot())
        }
        guard let previous else { return Self.walkingSpeed }
        let span = Double(epoch.arrival - previous.arrival) * 1e-9
        guard span > 0, span < Self.longestSpan else { return Self.walkingSpeed }
        let north = (place.latitudeDegrees - previous.latitude) * Self.metresPerDegree
        let turn = remainder(place.longitudeDegrees - previous.longitude, 360)
        let east = turn * Self.metresPerDegree * cosine(place.latitudeDegrees * .pi / 180)
        return max(Self.walkingSpeed, (east * east + north * north).squareRoot() / span)
    }
}
