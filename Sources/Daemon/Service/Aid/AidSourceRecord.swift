import Estimation
import Messages
import Model
import Sensors
import WaymarkInterface

/// A source of aiding measurements: what its client has declared, and what became of its offers.
package struct AidSourceRecord {
    package let name: SourceName
    /// Connection that the source belongs to.
    package let client: UInt64
    package let user: UInt32
    private let kinds: WordSet<AidInterface.AidKind>
    private let mount: AidSensorMount
    /// Delay of the source's time stamps. Unit: nanoseconds.
    private let latency: Int64

    private var allowance: OfferAllowance
    /// Time of the newest odometry that was accepted.
    private var newestPose: BootTime?
    private var newest: BootTime?
    private var accepted: UInt64 = 0
    private var meter = RateMeter()
    /// Refused offers by cause, the most recent first.
    private var refused: [AidInterface.RefusedOffers] = []
    /// Accuracy that the newest offer of each kind claims. Unit: metres, or degrees for directions.
    private var claimed: [AidInterface.AidKind: Double] = [:]

    /// Permitted latencies of the time stamps. Unit: seconds.
    private static let latencies = 0.0...1.0
    /// Maximum time by which a stamp may be in the future. Clocks that are compared over a bus differ slightly. Unit:
    /// seconds.
    private static let tolerance = 0.05
    /// Maximum age at which a measurement can still be applied at its own time. Unit: seconds.
    package static let maximumAge = 2.5

    /// Makes the record of a source that a client opens.
    ///
    /// - Parameter now: present time, at which the source's allowance of offers begins.
    package init(
        _ request: AidInterface.Open, name: SourceName, client: UInt64, user: UInt32, at now: BootTime
    ) throws(AidInterface.Failure) {
        let latency = request.latency ?? 0
        guard Self.latencies.contains(latency) else { throw .outOfRange(field: "latency") }
        self.name = name
        self.client = client
        self.user = user
        kinds = request.kinds
        mount = try AidSensorMount(request.bodyFromSensor)
        self.latency = Int64((latency * 1e9).rounded())
        allowance = OfferAllowance(at: now)
    }

    package var offersSamples: Bool { kinds.contains(.samples) }

    /// Returns the measurement of an offer, or throws the reason why it is refused. Counts the offer in either case.
    package mutating func take(
        _ offer: some AidOffer, at now: BootTime
    ) throws(AidInterface.Failure) -> AidMeasurement {
        do throws(AidInterface.Failure) {
            let measurement = try checked(offer, at: now)
            if let accuracy = measurement.content.claimedAccuracy { claimed[type(of: offer).kind] = accuracy }
            accept(measurement.time)
            if case .odometry = measurement.content { newestPose = measurement.time }
            return measurement
        } catch {
            count(error)
            throw error
        }
    }

    /// Passes either all samples of a call or none of them to the sensors' source. The call counts as one offer, even
    /// if it is refused.
    package mutating func take(
        _ offer: AidInterface.OfferSamples, into sensors: OfferedSource, at now: BootTime
    ) throws(AidInterface.Failure) {
        do throws(AidInterface.Failure) {
            let batch = try checked(offer, at: now)
            do throws(OfferedSource.Refusal) {
                try sensors.take(batch, at: now)
            } catch {
                throw AidInterface.Failure(error)
            }
            if let newest = batch.samples.map(\.time).max() { accept(newest) }
        } catch {
            count(error)
            throw error
        }
    }

    private mutating func checked(
        _ offer: AidInterface.OfferSamples, at now: BootTime
    ) throws(AidInterface.Failure) -> SampleBatch {
        guard offersSamples else { throw .kindNotDeclared(kind: OpenWord(.samples)) }
        // The offer is charged before its samples are read, because reading takes time even if they are then refused.
        guard allowance.take(offer.cost, at: now) else { throw .tooManyOffers(maximum: OfferAllowance.perSecond) }
        try offer.checkSize()
        return try offer.batch { stamp throws(AidInterface.Failure) in try time(stamp, at: now) }
    }

    private mutating func accept(_ time: BootTime) {
        accepted += 1
        newest = max(newest ?? time, time)
    }

    private mutating func checked<Offer: AidOffer>(
        _ offer: Offer, at now: BootTime
    ) throws(AidInterface.Failure) -> AidMeasurement {
        guard kinds.contains(Offer.kind) else { throw .kindNotDeclared(kind: OpenWord(Offer.kind)) }
        guard allowance.take(at: now) else { throw .tooManyOffers(maximum: OfferAllowance.perSecond) }
        let time = try time(offer.time, at: now)
        let measurement = AidMeasurement(source: name, time: time, arrival: now, content: try offer.content(mount))
        guard measurement.isInRange else { throw .outOfRange(field: Offer.mainField) }
        if let newestPose, Offer.kind == .odometry, time <= newestPose {
            throw .outOfOrder(newest: newestPose.message)
        }
        return measurement
    }

    private func time(_ stamp: AidInterface.Time, at now: BootTime) throws(AidInterface.Failure) -> BootTime {
        guard let stamp = stamp.nanoseconds else { throw .outOfRange(field: "time") }
        let time = BootTime(nanoseconds: stamp - latency)
        let age = now.seconds(since: time)
        guard age >= -Self.tolerance else { throw .timeInFuture(ahead: -age) }
        guard age <= Self.maximumAge else { throw .tooOld(age: age, maximum: Self.maximumAge) }
        return time
    }

    private mutating func count(_ failure: AidInterface.Failure) {
        let name = "\(failure.name)"
        let index = refused.firstIndex { $0.error == name }
        let before = index.map { refused.remove(at: $0).number } ?? 0
        refused.insert(AidInterface.RefusedOffers(error: name, number: before + 1), at: 0)
    }

    /// Updates the measured rate of accepted offers.
    ///
    /// - Parameter time: current time on a monotonic clock. Unit: nanoseconds.
    mutating func observe(at time: Int64) { meter.observe(accepted, at: time) }

    /// Returns this source's entry for a list of sources. The entry of a source that sends samples states no
    /// trust, because the estimator uses samples without a check.
    ///
    /// - Parameters:
    ///   - found: the estimator's trust in the offers of all sources.
    ///   - open: names of the sources that are open.
    package func message(
        at now: BootTime, _ found: [OfferTrust] = [], open: some Sequence<SourceName> = []
    ) -> AidInterface.AidSource {
        let age = newest.map { now.seconds(since: $0) }
        let trust = kinds.known.filter { $0 != .samples }.map {
            AidInterface.AidTrust($0, of: name, among: found, open: open, accuracy: claimed[$0])
        }
        return AidInterface.AidSource(
            source: name.text, user: Int(user), kinds: kinds,
            state: OpenWord(
                AidInterface.AidSourceState(age: age, poseAge: newestPose.map { now.seconds(since: $0) }, trust)),
            rate: meter.perSecond, age: age,
            accepted: Int(clamping: accepted), refused: refused, trust: trust)
    }
}

/// Number of offers that a source may make now. It grows with time, up to the allowance of one second.
struct OfferAllowance {
    private var left = Double(Self.perSecond)
    private var time: BootTime

    /// Offers per second: four times the rate of a fast camera.
    static let perSecond = 250

    init(at time: BootTime) { self.time = time }

    /// Deducts offers from the allowance; returns false if too few are left. The number may be fractional.
    mutating func take(_ number: Double = 1, at now: BootTime) -> Bool {
        let maximum = Double(Self.perSecond)
        left = min(maximum, left + maximum * max(0, now.seconds(since: time)))
        time = now
        guard left >= number else { return false }
        left -= number
        return true
    }
}
