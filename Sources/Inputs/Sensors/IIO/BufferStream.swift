import CIIO
import Glibc
import Linux
import Model
import Synchronization

/// Reads a device's buffer, decodes its scans and pushes the measurements into the queue.
///
/// A device's own thread reads it in batches and waits for each, or a `DirectReader` reads what the kernel holds.
final class BufferStream: HeldBuffer {
    private(set) var setup: DeviceSetup
    private let kernelDevice: KernelDevice?
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
    private(set) var refusals: RefusalCounter
    private var request: PaceControl.Request
    /// Whether a `DirectReader` is meant to read the buffer. The kernel then reports each sample, and the reader's user
    /// decides when it is read.
    private let isDirect: Bool
    /// Memory for what the kernel holds.
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8192, alignment: 16)

    /// Enables the channels of the plan and disables all others.
    ///
    /// - Parameters:
    ///   - kernelDevice: device that is being set up; nil for a device of another computer.
    ///   - isDirect: whether a `DirectReader` is meant to read the buffer.
    /// - Throws: `.unusable` if a channel of the device has a format that libiio cannot handle.
    init(
        _ setup: DeviceSetup, _ kernelDevice: KernelDevice?, queue: MeasurementQueue, handle: BufferHandle,
        request: PaceControl.Request, isForeign: Bool, isDirect: Bool
    )
        throws(IIOError)
    {
        self.setup = setup
        self.kernelDevice = kernelDevice
        self.queue = queue
        self.handle = handle
        self.request = request
        self.isDirect = isDirect
        var channels: [OpaquePointer] = []
        var elements: [ScanLayout.Element] = []
        for channel in setup.device.channels {
            iio_channel_disable(channel.pointer)
            // libiio divides by the size of every channel that the server reports as part of the buffer, so that every
            // format has to be valid.
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
        isInertial = setup.plan.kinds.contains { $0 == .accelerometer || $0 == .gyroscope }
        converter = StampConverter(clock: setup.clock, isForeign: isForeign)
        tally = SampleTally(interval: Int64(1e9 / setup.rate))
        refusals = RefusalCounter(setup.plan.kinds)
    }

    deinit {
        close()
        memory.deallocate()
    }

    /// Whether timestamps are estimated from arrival times, because another computer's clock made them.
    var isMapped: Bool { stampFormat != nil && converter.isMapped }
    var clockSteps: Int { converter.clockSteps }

    /// Whether the device has delivered no sample since the stream was set up.
    var isUntouched: Bool { !hasDelivered }
    private var hasDelivered = false

    /// Whether the buffer was set up for another pace request than this one.
    func isBehind(_ request: PaceControl.Request) -> Bool { self.request.revision != request.revision }

    /// Applies another pace. Closes the buffer unless its setup suits that pace too.
    ///
    /// - Returns: whether the buffer was closed. If so, `open` has to follow.
    func follow(_ request: PaceControl.Request, settings: IIOSettings, status: DeviceStatus) -> Bool {
        let keepsRates = setup.plan.kinds.allSatisfy {
            settings.rate(of: $0, at: request.pace) == settings.rate(of: $0, at: self.request.pace)
        }
        if keepsRates, batchSize(at: request.pace) == batchSize(at: self.request.pace),
            handle.adopt(revision: request.revision)
        {
            self.request = request
            return false
        }
        drain()
        // Counts are reported now, because the next batch may take long to arrive.
        status.update { tally.flush(into: &$0) }
        close()
        self.request = request
        if !keepsRates { setup.follow(request.pace, settings: settings, status: status) }
        tally.begin(interval: Int64(1e9 / setup.rate))
        return true
    }

    /// Requests the rate again after a trigger was set, which may have its own rate.
    func adoptTrigger(settings: IIOSettings, status: DeviceStatus) {
        setup.follow(request.pace, settings: settings, status: status)
        tally.begin(interval: Int64(1e9 / setup.rate))
    }

    private func batchSize(at pace: SamplingPace) -> Int {
        (isDirect ? .immediate : pace).batchSize(rate: setup.rate, of: setup.plan.kinds)
    }

    /// Delivers the samples in the kernel that do not fill a batch, so that closing the buffer loses none.
    private func drain() {
        guard heldDescriptor != nil, (try? readHeld()) == true else { return }
        // The consumer does not know that this thread has read them.
        if isInertial, directDescriptor != nil { announce() }
    }

    /// Descriptor by which the samples that the kernel holds can be read without waiting; nil if they cannot, as over a
    /// network, and before the first batch of a buffer whose layout is not the expected one.
    private var heldDescriptor: Int32? {
        let stride = layout.stride
        guard let buffer, iio_device_get_sample_size(setup.device.pointer) == stride,
            (1...memory.count).contains(stride)
        else { return nil }
        let descriptor = iio_buffer_get_poll_fd(buffer)
        return descriptor >= 0 && fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0 ? descriptor : nil
    }

    /// Descriptor of the open buffer for a `DirectReader`; nil if the device's own thread has to read the buffer.
    private(set) var directDescriptor: Int32?

    /// Time at which the next sample is expected, on the clock of `BootClock`. Unit: ns.
    var nextArrival: Int64 { tally.last.map { $0.nanoseconds + tally.interval } ?? 0 }

    /// Wakes the consumer.
    func announce() { queue.announce() }

    /// Delivers the samples that the kernel holds, without waiting; returns whether there were any.
    ///
    /// - Throws: `.call` with the driver's error.
    func readHeld() throws(IIOError) -> Bool {
        guard let descriptor = directDescriptor ?? heldDescriptor else { return false }
        let wanted = memory.count / layout.stride * layout.stride
        // The limit ends the loop if the buffer fills faster than it is read.
        for round in 0..<Self.readsAtOnce {
            let count = read(descriptor, memory.baseAddress!, wanted)
            if count == 0 { throw .call("reading \(setup.plan.name)", code: EPIPE) }
            if count < 0, errno != EAGAIN, errno != EINTR { throw .call("reading \(setup.plan.name)", code: errno) }
            guard count > 0 else { return round > 0 }
            hasDelivered = true
            handOver(UnsafeRawBufferPointer(rebasing: memory[..<count]), arrival: BootClock.nanoseconds)
            if count < wanted { break }
        }
        return true
    }

    private static let readsAtOnce = 16

    /// Creates the buffer, which makes the device stream.
    ///
    /// - Throws: `.call` with the driver's error, or `.unanswered`.
    func open() throws(IIOError) {
        drain()
        close()
        let held = (isDirect ? .immediate : request.pace).batchesHeld(rate: setup.rate, of: setup.plan.kinds)
        let device = setup.device
        // If the driver refuses this number, libiio uses its own.
        _ = try? device.context.ask("setting the number of buffers of \(device.identifier)") {
            Int(iio_device_set_kernel_buffers_count(device.pointer, UInt32(held)))
        }
        // The requests that set clock and rate ignored errors. If one of them was not answered, the old value may still
        // apply.
        try device.context.requireAnswers()
        errno = 0
        guard let buffer = iio_device_create_buffer(device.pointer, batchSize(at: request.pace), false)
        else { throw .call("setting up the buffer of \(setup.plan.name)", code: errno == 0 ? EIO : errno) }
        handle.hold(buffer, revision: request.revision)
        self.buffer = buffer
        // From here on, the open file keeps the device's number from being reused.
        if kernelDevice?.isGone == true { throw .gone(setup.plan.name) }
        directDescriptor = isDirect ? heldDescriptor : nil
    }

    func close() {
        buffer = nil
        directDescriptor = nil
        handle.destroy()
    }

    /// Waits for the next batch and delivers it.
    ///
    /// - Throws: `.call`: ETIMEDOUT if no data arrived in time, EBADF if cancelled, EPIPE if the connection has closed.
    func readBatch() throws(IIOError) {
        guard let buffer else { throw .call("reading \(setup.plan.name)", code: EBADF) }
        let result = iio_buffer_refill(buffer)
        let arrival = BootClock.nanoseconds
        if result < 0 { throw .result(result, of: "reading \(setup.plan.name)") }
        guard let start = iio_buffer_start(buffer), let end = iio_buffer_end(buffer), end > start else { return }
        let stride = iio_buffer_step(buffer)
        hasDelivered = true
        let bytes = UnsafeRawBufferPointer(start: start, count: end - start)
        if stride != layout.stride { try adoptLayout(of: buffer, start: start, stride: stride) }
        handOver(bytes, arrival: arrival)
    }

    /// Adopts the layout of the buffer after another client of the same server has enabled more channels.
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
        // The consumer calls a direct reader; `drain` and `look` announce by themselves.
        defer { if isInertial, directDescriptor == nil { announce() } }
        let stride = layout.stride
        layout.offsets.withUnsafeBufferPointer { offsets in
            guard let stampFormat, let stampOffset = offsets.last,
                let newest = stampFormat.decode(bytes, at: (count - 1) * stride + stampOffset), newest != 0
            else {
                // The device has no timestamps, or its driver leaves them at zero.
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

    /// Whether the buffer has inertial samples. Aiding samples do not wake the consumer but wait for the next inertial
    /// batch, because they are applied with it anyway. If none arrives, they wait for the daemon's own timer.
    let isInertial: Bool

    @inline(__always)
    private func push(_ bytes: UnsafeRawBufferPointer, base: Int, offsets: UnsafeBufferPointer<Int>, time: Int64) {
        let stamp = BootTime(nanoseconds: time)
        var first = 0
        var isAccepted = false
        for (index, decoder) in setup.decoders.enumerated() {
            let own = UnsafeBufferPointer(rebasing: offsets[first..<(first + decoder.axes.count)])
            first += decoder.axes.count
            if let measurement = decoder.measurement(in: bytes, base: base, offsets: own, time: stamp) {
                if !queue.append(measurement) { tally.drop() }
                isAccepted = true
                refusals.accept(index)
            } else {
                tally.refuse()
                refusals.refuse(index)
            }
        }
        if isAccepted { tally.accept(at: time) }
    }

    /// Adds to the report what was counted since the previous call.
    func flush(into report: inout DeviceReport) {
        tally.flush(into: &report)
        report.batchSize = batchSize(at: request.pace)
    }
}

/// A libiio buffer that one thread refills and destroys. Any thread may cancel it meanwhile.
final class BufferHandle: Sendable {
    /// Signalled for a thread that waits while a `DirectReader` reads the buffer.
    let interruption = EventDescriptor()
    /// The pointer as an integer, because pointers are not Sendable. The lock makes its use safe.
    private let held = Mutex(Held())

    private struct Held {
        var bits: UInt = 0
        var revision = 0
        var isCancelled = false

        mutating func cancel() {
            guard let pointer = OpaquePointer(bitPattern: bits) else { return }
            isCancelled = true
            iio_buffer_cancel(pointer)
        }
    }

    /// Makes a blocked refill return at once; does nothing if there is no buffer.
    func cancel() {
        held.withLock { $0.cancel() }
        interruption.signal()
    }

    /// Cancels the buffer only if it was set up for an earlier pace request than `revision`.
    func cancel(before revision: Int) {
        held.withLock { if $0.revision < revision { $0.cancel() } }
        interruption.signal()
    }

    /// Whether the buffer was cancelled and has to be created again.
    var isCancelled: Bool { held.withLock(\.isCancelled) }

    /// Stores a new buffer.
    ///
    /// - Parameter revision: pace request for which the buffer was set up.
    func hold(_ pointer: OpaquePointer, revision: Int) {
        held.withLock { $0 = Held(bits: UInt(bitPattern: pointer), revision: revision) }
    }

    /// Assigns the buffer to a later pace request.
    ///
    /// - Returns: false if there is no buffer that can still be read.
    func adopt(revision: Int) -> Bool {
        held.withLock { held in
            guard held.bits != 0, !held.isCancelled else { return false }
            held.revision = revision
            return true
        }
    }

    /// Destroys the buffer outside of the lock, because an unresponsive server delays the call, which must not block
    /// `cancel`.
    func destroy() {
        let bits = held.withLock { held in
            defer { held.bits = 0 }
            return held.bits
        }
        if let pointer = OpaquePointer(bitPattern: bits) { iio_buffer_destroy(pointer) }
    }
}
