import Geometry
import Linux
import Model

/// Reads a device by its attributes, one value after the other, where there is no buffer.
final class AttributePoller {
    private var setup: DeviceSetup
    private let queue: MeasurementQueue
    private let channels: [[IIOChannel]]
    private var tally: SampleTally

    /// Faster than this the reads themselves would take the time. Unit: Hz.
    static let largestRate = 100.0

    init(_ setup: DeviceSetup, queue: MeasurementQueue) {
        self.setup = setup
        self.queue = queue
        channels = setup.decoders.map { $0.kind.channelNames.compactMap(setup.device.channel) }
        tally = SampleTally(interval: Int64(1e9 / min(setup.requestedRate, Self.largestRate)))
    }

    /// Goes on at another pace.
    func follow(_ pace: SamplingPace, settings: IIOSettings, board: ReportBoard) {
        setup.follow(pace, settings: settings, board: board)
        tally.begin(interval: Int64(1e9 * period))
    }

    /// Unit: s.
    var period: Double { 1 / min(setup.requestedRate, Self.largestRate) }

    /// Reads each kind once; the stamp is the middle of its reads.
    ///
    /// - Throws: `.call` with the error of a read.
    func poll() throws(IIOError) {
        // Not by `push`: what a buffered sensor left in the queue without a word would keep these from being told.
        defer { queue.announce() }
        for (decoder, channels) in zip(setup.decoders, channels) {
            let before = BootClock.nanoseconds
            var values: [Double] = []
            for (channel, axis) in zip(channels, decoder.axes) {
                let attribute = channel.hasAttribute("raw") ? "raw" : "input"
                values.append(axis.value(ofCounts: decimal(try channel.read(attribute)) ?? .nan))
            }
            let after = BootClock.nanoseconds
            let time = before + (after - before) / 2
            let vector = values.count == 3 ? Vector3(values[0], values[1], values[2]) : Vector3(values[0], 0, 0)
            if let measurement = decoder.measurement(vector, time: BootTime(nanoseconds: time)) {
                if !queue.append(measurement) { tally.drop() }
                if decoder.kind == setup.plan.kinds[0] { tally.accept(at: time) }
            } else {
                tally.refuse()
            }
        }
    }

    /// Writes the counts since the last call into the report.
    func settle(into report: inout DeviceReport) { tally.settle(into: &report) }
}
