import Geometry
import Messages
import Model
import Sensors
import WaymarkInterface

/// Call that offers samples of several sensors.
extension AidInterface.OfferSamples {
    /// Maximum number of samples in a call. Fast sensors deliver this many in a tenth of a second.
    package static let maximumCount = 256
    /// Longest time between two samples of a call. Unit: seconds.
    package static let maximumSpan = 1.0
    /// Number of samples that count as one offer, so that a source's allowance suffices for all sensors at 2 kHz.
    private static let perOffer = 40.0
    /// Temperatures that an inertial unit can have. Unit: degrees Celsius.
    private static let temperatures = -100.0...200.0

    /// Number of offers that the call counts as, at least one. It is not rounded, so that the cost does not depend on
    /// how a client divides its samples into calls. A call that is too large costs as much as the largest permitted
    /// one.
    var cost: Double { max(1, Double(min(count, Self.maximumCount)) / Self.perOffer) }

    private var count: Int {
        (accelerometer?.count ?? 0) + (gyroscope?.count ?? 0) + (magnetometer?.count ?? 0) + (barometer?.count ?? 0)
    }

    /// Checks the number of samples before the samples are read.
    func checkSize() throws(AidInterface.Failure) {
        guard count > 0 else { throw .outOfRange(field: "gyroscope") }
        guard count <= Self.maximumCount else { throw .tooLarge }
    }

    /// Converts the samples of the call to a batch, sensor by sensor.
    ///
    /// - Parameter time: converts and checks the time of a sample.
    func batch(
        _ time: (AidInterface.Time) throws(AidInterface.Failure) -> BootTime
    ) throws(AidInterface.Failure) -> SampleBatch {
        if let temperature, !Self.temperatures.contains(temperature) { throw .outOfRange(field: "temperature") }
        var samples: [SampleBatch.Sample] = []
        samples.reserveCapacity(count)
        let sensors: [(SensorKind, [AidInterface.AxesSample]?)] = [
            (.accelerometer, accelerometer), (.gyroscope, gyroscope), (.magnetometer, magnetometer),
        ]
        for (kind, offered) in sensors {
            for sample in offered ?? [] {
                samples.append(
                    SampleBatch.Sample(kind, time: try time(sample.time), value: Vector3(sample.x, sample.y, sample.z)))
            }
        }
        for sample in barometer ?? [] {
            samples.append(
                SampleBatch.Sample(.barometer, time: try time(sample.time), value: Vector3(sample.pressure, 0, 0)))
        }
        guard Self.span(samples) <= Self.maximumSpan else { throw .tooLarge }
        return SampleBatch(samples, temperature: temperature)
    }

    /// Returns the time from the oldest sample to the newest. Unit: seconds.
    private static func span(_ samples: [SampleBatch.Sample]) -> Double {
        let times = samples.map(\.time)
        guard let oldest = times.min(), let newest = times.max() else { return 0 }
        return newest.seconds(since: oldest)
    }
}

extension AidInterface.Failure {
    fileprivate static var tooLarge: AidInterface.Failure {
        .batchTooLarge(samples: AidInterface.OfferSamples.maximumCount, span: AidInterface.OfferSamples.maximumSpan)
    }

    init(_ refusal: OfferedSource.Refusal) {
        switch refusal {
        case .outOfOrder(let newest): self = .outOfOrder(newest: newest.message)
        case .outOfRange(let kind): self = .outOfRange(field: kind.rawValue)
        }
    }
}
