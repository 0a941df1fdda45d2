import Geometry
import Linux
import Model

/// Polls a device's sysfs attributes, one value at a time, if the device has no usable buffer.
final class AttributePoller {
    private(set) var setup: DeviceSetup
    private let queue: MeasurementQueue
    private let channels: [[IIOChannel]]
    private var tally: SampleTally
    private(set) var refusals: RefusalCounter
    /// Number of polls after which the consumer is woken, and number of polls since then. As in `BufferStream`, aiding
    /// sensors do not wake it.
    private var batchSize = 1
    private var waiting = 0

    /// Highest polling rate, beyond which the reads would take longer than the period. Unit: Hz.
    static let maximumRate = 100.0

    init(_ setup: DeviceSetup, _ pace: SamplingPace, queue: MeasurementQueue) {
        self.setup = setup
        self.queue = queue
        channels = setup.decoders.map { $0.kind.channelNames.compactMap(setup.device.channel) }
        tally = SampleTally(interval: Int64(1e9 / min(setup.requestedRate, Self.maximumRate)))
        refusals = RefusalCounter(setup.plan.kinds)
        setBatch(pace)
    }

    private func setBatch(_ pace: SamplingPace) {
        let kinds = setup.plan.kinds
        let isInertial = kinds.contains { $0 == .accelerometer || $0 == .gyroscope }
        batchSize = isInertial ? pace.batchSize(rate: 1 / period, of: kinds) : .max
    }

    func follow(_ pace: SamplingPace, settings: IIOSettings, status: DeviceStatus) {
        setup.follow(pace, settings: settings, status: status)
        tally.begin(interval: Int64(1e9 * period))
        setBatch(pace)
    }

    /// Interval between two polls. Unit: s.
    var period: Double { 1 / min(setup.requestedRate, Self.maximumRate) }

    /// Reads one sample of each kind. Its timestamp is the middle of the time that reading its axes takes.
    ///
    /// - Throws: `.call` with the error of a failed read, or `.unanswered`.
    func poll() throws(IIOError) {
        // Samples are appended and then announced once. With `push`, the consumer would not wake while samples of a
        // buffered sensor wait unannounced.
        defer {
            waiting += 1
            if waiting >= batchSize {
                queue.announce()
                waiting = 0
            }
        }
        for (index, (decoder, channels)) in zip(setup.decoders, channels).enumerated() {
            let before = BootClock.nanoseconds
            let vector = try read(channels, decoder)
            let after = BootClock.nanoseconds
            let time = before + (after - before) / 2
            if let measurement = decoder.measurement(vector, time: BootTime(nanoseconds: time)) {
                if !queue.append(measurement) { tally.drop() }
                if decoder.kind == setup.plan.kinds[0] { tally.accept(at: time) }
                refusals.accept(index)
            } else {
                tally.refuse()
                refusals.refuse(index)
            }
        }
    }

    /// Reads one value in the sensor's axes. A barometer's pressure is the x component.
    private func read(_ channels: [IIOChannel], _ decoder: SensorDecoder) throws(IIOError) -> Vector3 {
        func axis(_ number: Int) throws(IIOError) -> Double {
            let channel = channels[number]
            let counts = try channel.value(channel.hasAttribute("raw") ? "raw" : "input")
            return decoder.axes[number].value(ofCounts: counts ?? .nan)
        }
        if decoder.axes.count == 1 { return Vector3(try axis(0), 0, 0) }
        return Vector3(try axis(0), try axis(1), try axis(2))
    }

    /// Adds to the report what was counted since the previous call.
    func flush(into report: inout DeviceReport) { tally.flush(into: &report) }
}
