import Estimation
import Linux
import Model
import Sensors
import WaymarkInterface

/// The sources that clients have opened.
package struct AidSources {
    /// Reason why a source is not opened.
    package enum Refusal: Error, Equatable {
        case alreadyOpen
        case limit(ShareLimit.Reached)
    }

    private var sources: [SourceName: AidSourceRecord] = [:]
    private var places: SharedPlaces

    package init(_ limit: ShareLimit = ShareLimit(all: 16, ofUser: 8, reserve: 2)) { places = SharedPlaces(limit) }

    package mutating func open(_ source: AidSourceRecord) throws(Refusal) {
        guard sources[source.name] == nil else { throw .alreadyOpen }
        if let reached = places.take(source.user) { throw .limit(reached) }
        sources[source.name] = source
    }

    package mutating func close(_ source: String, client: UInt64) throws(AidInterface.Failure) {
        remove(try name(source, client))
    }

    package mutating func closeAll(of client: UInt64) {
        for source in sources.values where source.client == client { remove(source.name) }
    }

    private mutating func remove(_ name: SourceName) {
        if let source = sources.removeValue(forKey: name) { places.giveBack(source.user) }
    }

    /// Returns the measurement that a client offers, or throws the reason why it is refused.
    package mutating func take(
        _ offer: some AidOffer, client: UInt64, at now: BootTime
    ) throws(AidInterface.Failure) -> AidMeasurement {
        let name = try name(offer.source, client)
        guard let measurement = try sources[name]?.take(offer, at: now) else {
            throw .sourceNotOpen(source: offer.source)
        }
        return measurement
    }

    /// Passes the samples that a client offers on to the sensors' source.
    package mutating func take(
        _ offer: AidInterface.OfferSamples, client: UInt64, into sensors: OfferedSource, at now: BootTime
    ) throws(AidInterface.Failure) {
        let name = try name(offer.source, client)
        try sources[name]?.take(offer, into: sensors, at: now)
    }

    /// Whether a source of this name is open and may offer samples.
    package func offersSamples(_ name: SourceName) -> Bool { sources[name]?.offersSamples ?? false }

    /// Whether a client has a source that may offer samples.
    func offersSamples(client: UInt64) -> Bool {
        sources.values.contains { $0.client == client && $0.offersSamples }
    }

    private func name(_ source: String, _ client: UInt64) throws(AidInterface.Failure) -> SourceName {
        guard let name = SourceName(source), sources[name]?.client == client else {
            throw .sourceNotOpen(source: source)
        }
        return name
    }

    /// Updates the measured sample rate of every source.
    ///
    /// - Parameter time: current time on a monotonic clock. Unit: nanoseconds.
    mutating func observe(at time: Int64) {
        for name in sources.keys { sources[name]?.observe(at: time) }
    }

    /// Returns the open sources, sorted by name.
    ///
    /// - Parameter found: the estimator's trust in their offers.
    package func messages(at now: BootTime, _ found: [OfferTrust] = []) -> [AidInterface.AidSource] {
        sources.values.map { $0.message(at: now, found, open: sources.keys) }.sorted { $0.source < $1.source }
    }
}
