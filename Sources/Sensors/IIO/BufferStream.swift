import CIIO
import Glibc
import Linux
import Measurements

/// Reads a device's buffer and hands over what it holds.
final class BufferStream {
    private(set) var setup: DeviceSetup
    private let queue: MeasurementQueue
    private let handle: BufferHandle
    private let elements: [ScanLayout.Element]
    private let channels: [OpaquePointer]
    private let stampFormat: ChannelFormat?
    private var buffer: OpaquePointer?
    private var layout: ScanLayout
    private var converter: StampConverter
    private var stamper = ArrivalStamper()
    private(set) var tally: SampleTally
    private var wish: PaceControl.Wish

    /// Enables the channels of the plan, and of them alone.
    ///
    /// - Throws: `.unusable` when a channel of the device has a format with which libiio itself would come to grief.
    init(_ setup: DeviceSetup, queue: MeasurementQueue, handle: BufferHandle, wish: PaceControl.Wish, isForeign: Bool)
        throws(IIOError)
    {
        self.setup = setup
        self.queue = queue
        self.handle = handle
        self.wish = wish
        var channels: [OpaquePointer] = []
        var elements: [ScanLayout.Element] = []
        for channel in setup.device.channels {
            iio_channel_disable(channel.pointer)
            // libiio divides by the size of whatever channel the server says is in the buffer.
            guard channel.isScanElement else { continue }
            do { _ = try channel.format() } catch {
                throw .unusable("\(setup.device.identifier) \(channel.identifier): \(error)")
            }
        }
        for decoder in setup.decoders {
            for (name, axis) in zip(decoder.kind.channelNames, decoder.axes) {
                guard let channel = setup.device.channel(name), let format = axis.format else { continue }
                channels.append(channel.pointer)
                elements.append(ScanLayout.Element(index: axis.index, format: format))
            }
        }
        stampFormat = setup.clock == .host ? nil : try? setup.device.channel("timestamp")?.format()
        if let stampFormat, let channel = setup.device.channel("timestamp") {
            channels.append(channel.pointer)
            elements.append(ScanLayout.Element(index: channel.index, format: stampFormat))
        }
        for channel in channels { iio_channel_enable(channel) }
        self.channels = channels
        self.elements = elements
        layout = ScanLayout(elements)
        converter = StampConverter(clock: setup.clock, isForeign: isForeign)
        tally = SampleTally(interval: Int64(1e9 / setup.rate))
    }

    deinit { close() }

    /// Stamps mapped by their arrival: their clock is not this computer's.
    var isMapped: Bool { stampFormat != nil && converter.isMapped }
    var clockSteps: Int { converter.clockSteps }

    /// Whether another pace is wanted than that at which the buffer was set up.
    func isBehind(_ wish: PaceControl.Wish) -> Bool { self.wish.revision != wish.revision }

    /// Takes up another pace; `open` has to follow.
    func follow(_ wish: PaceControl.Wish, settings: IIOSettings, board: ReportBoard) {
        takeRest()
        // The next batch may be long in coming.
        board.update { tally.settle(into: &$0) }
        close()
        self.wish = wish
        setup.follow(wish.pace, settings: settings, board: board)
        tally.begin(interval: Int64(1e9 / setup.rate))
    }

    /// Hands over what the kernel holds that is no whole batch, so that nothing is missing when the buffer is closed; of
    /// a server nothing of the kind can be asked.
    private func takeRest() {
        // A buffer knows its step only after its first batch.
        let stride = layout.stride
        guard let buffer, iio_device_get_sample_size(setup.device.pointer) == stride,
            (1...Self.restBytes).contains(stride)
        else { return }
        let descriptor = iio_buffer_get_poll_fd(buffer)
        guard descriptor >= 0, fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0 else { return }
        let wanted = Self.restBytes / stride * stride
        withUnsafeTemporaryAllocation(byteCount: Self.restBytes, alignment: 16) { bytes in
            // A buffer holds four batches; one that fills faster than it is read is left.
            for _ in 0..<Self.restReads {
                let count = read(descriptor, bytes.baseAddress!, wanted)
                guard count > 0 else { return }
                handOver(UnsafeRawBufferPointer(rebasing: bytes[..<count]), arrival: BootClock.nanoseconds)
                if count < wanted { return }
            }
        }
    }

    private static let restBytes = 8192
    private static let restReads = 16

    /// Sets the buffer up and makes the device stream.
    ///
    /// - Throws: `.call` with the driver's error.
    func open() throws(IIOError) {
        takeRest()
        close()
        errno = 0
        guard
            let buffer = iio_device_create_buffer(
                setup.device.pointer, wish.pace.batchSize(rate: setup.rate, of: setup.plan.kinds), false)
        else { throw .call("setting up the buffer of \(setup.plan.name)", code: errno == 0 ? EIO : errno) }
        handle.hold(buffer, revision: wish.revision)
        self.buffer = buffer
    }

    func close() {
        buffer = nil
        handle.destroy()
    }

    /// Waits for the next batch and hands it over.
    ///
    /// - Throws: `.call`: ETIMEDOUT when nothing came in time, EBADF when cancelled, EPIPE when the server is gone.
    func readBatch() throws(IIOError) {
        guard let buffer else { throw .call("reading \(setup.plan.name)", code: EBADF) }
        let result = iio_buffer_refill(buffer)
        let arrival = BootClock.nanoseconds
        if result < 0 { throw .result(result, of: "reading \(setup.plan.name)") }
        guard let start = iio_buffer_start(buffer), let end = iio_buffer_end(buffer), end > start else { return }
        let stride = iio_buffer_step(buffer)
        let bytes = UnsafeRawBufferPointer(start: start, count: end - start)
        if stride != layout.stride { try adoptLayout(of: buffer, start: start, stride: stride) }
        handOver(bytes, arrival: arrival)
    }

    /// Another client of the same server may have more channels in the buffer.
    private func adoptLayout(of buffer: OpaquePointer, start: UnsafeMutableRawPointer, stride: Int) throws(IIOError) {
        let offsets = channels.map { iio_buffer_first(buffer, $0).map { $0 - start } ?? -1 }
        guard let found = ScanLayout(offsets: offsets, elements: elements, stride: stride) else {
            throw .unusable("\(setup.plan.name): a scan of \(stride) bytes does not contain the enabled channels")
        }
        layout = found
    }

    private func handOver(_ bytes: UnsafeRawBufferPointer, arrival: Int64) {
        let count = bytes.count / layout.stride
        guard count > 0 else { return }
        defer { if isAwaited { queue.announce() } }
        let stride = layout.stride
        layout.offsets.withUnsafeBufferPointer { offsets in
            guard let stampFormat, let stampOffset = offsets.last,
                let newest = stampFormat.decode(bytes, at: (count - 1) * stride + stampOffset), newest != 0
            else {
                // No stamps, or a driver that leaves them unset.
                let spread = stamper.spread(count: count, arrival: arrival, period: tally.interval)
                for sample in 0..<count {
                    let time = spread.first + Int64(sample) * spread.step
                    push(bytes, base: sample * stride, offsets: offsets, time: time)
                }
                return
            }
            converter.beginBatch(newest: newest, arrival: arrival, clockOffset: setup.clock.offsetToBoottime)
            for sample in 0..<count {
                let stamp = stampFormat.decode(bytes, at: sample * stride + stampOffset) ?? 0
                if let time = converter.convert(stamp, arrival: arrival) {
                    push(bytes, base: sample * stride, offsets: offsets, time: time)
                } else {
                    tally.refuse()
                }
            }
        }
    }

    /// While idle, what only corrects comes with the next inertial batch, and with the daemon's own beat where there is none.
    private var isAwaited: Bool {
        wish.pace == .full || setup.plan.kinds.contains { $0 == .accelerometer || $0 == .gyroscope }
    }

    @inline(__always)
    private func push(_ bytes: UnsafeRawBufferPointer, base: Int, offsets: UnsafeBufferPointer<Int>, time: Int64) {
        let stamp = BootTime(nanoseconds: time)
        var first = 0
        var isAccepted = false
        for decoder in setup.decoders {
            let own = UnsafeBufferPointer(rebasing: offsets[first..<(first + decoder.axes.count)])
            first += decoder.axes.count
            if let measurement = decoder.measurement(in: bytes, base: base, offsets: own, time: stamp) {
                if !queue.append(measurement) { tally.drop() }
                isAccepted = true
            } else {
                tally.refuse()
            }
        }
        if isAccepted { tally.accept(at: time) }
    }

    /// Writes the counts since the last call into the report.
    func settle(into report: inout DeviceReport) { tally.settle(into: &report) }
}
