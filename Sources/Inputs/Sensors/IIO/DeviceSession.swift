import Glibc
import Linux

/// One device, used through one context. Streams from it or polls it until an error ends the context.
struct DeviceSession {
    let plan: DevicePlan
    let settings: IIOSettings
    let pace: PaceControl
    let queue: MeasurementQueue
    let reader: DirectReader
    let status: DeviceStatus
    let handle: BufferHandle
    let stop: StopFlag

    private let permission = UdevPermission()

    /// Number of attempts to set up the buffer before the device is polled.
    private static let bufferAttempts = 3

    /// Runs until an error occurs, or until the buffer should be tried again. The error is `.stopped` once the stop
    /// flag is set.
    ///
    /// - Parameter failures: number of consecutive failures to set up the buffer.
    func run(failures: inout Int) throws(IIOError) {
        let context = try IIOContext(
            uri: settings.contextURI, timeoutMilliseconds: timeout(at: pace.request.pace), stop: stop)
        guard let device = context.device(of: plan) else { throw .gone(plan.name) }
        let kernelDevice = settings.isLocal ? KernelDevice(identifier: device.identifier) : nil
        do {
            try use(device, kernelDevice, failures: &failures)
        } catch  where !stop.isSet && kernelDevice?.isGone == true {
            throw .gone(plan.name)
        }
    }

    private func use(
        _ device: IIODevice, _ kernelDevice: KernelDevice?, failures: inout Int
    ) throws(IIOError) {
        let summary = DeviceSummary(device)
        if settings.isLocal { permission.wait(for: device, stop: stop, status: status) }
        let canStream = plan.kinds.allSatisfy(summary.streams)
        let canPoll = plan.kinds.allSatisfy(summary.isReadable)
        // A device without a buffer is polled indefinitely, and polling needs no reason in the report.
        var reason = canStream ? PollingReason(text: "the buffer could not be set up") : nil
        if canStream, failures < Self.bufferAttempts || !canPoll {
            do {
                try stream(device, kernelDevice, failures: &failures)
            } catch .unusable(let problem) where canPoll {
                reason = PollingReason(text: problem)
            } catch .untriggered(let problem) where canPoll {
                reason = PollingReason(text: problem, isTriggerMissing: true)
            } catch {
                // A missing permission or trigger does not change from attempt to attempt.
                guard !error.endsContext, !error.isBusy, canPoll, failures >= Self.bufferAttempts else { throw error }
                reason = PollingReason(text: error.description)
            }
        }
        try poll(device, reason: reason)
        // Allows one more attempt at the buffer; if it fails, polling resumes at once.
        failures = Self.bufferAttempts - 1
    }

    /// Timeout of libiio calls in ms. For a server it is twice the silence timeout. The server itself waits for half of
    /// this time, so that it reports the silence before the connection counts as dead.
    func timeout(at pace: SamplingPace) -> UInt32 {
        let silence = silence(at: pace)
        return settings.isLocal ? silence : min(silence, 60_000) * 2
    }

    /// Time without data after which a device counts as silent, which is at least three batches of a slow sensor, or
    /// three readings. Unit: ms.
    private func silence(at pace: SamplingPace) -> UInt32 {
        let rate = plan.kinds.map { settings.rate(of: $0, at: pace) }.min() ?? 1
        let batch = Double(pace.batchSize(rate: rate, of: plan.kinds)) / max(rate, 0.1)
        let wait = max(batch, pace.readingInterval ?? 0)
        return UInt32(max(Double(settings.silenceMilliseconds), min(3000 * wait, 60_000)))
    }

    // MARK: Buffer

    private func stream(
        _ device: IIODevice, _ kernelDevice: KernelDevice?, failures: inout Int
    ) throws(IIOError) {
        let request = pace.request
        // The context may be older than the pace request, so its timeout is set again.
        device.context.setTimeout(milliseconds: timeout(at: request.pace))
        let setup = try DeviceSetup(
            device, plan: plan, settings: settings, pace: request.pace, isBuffered: true, status: status)
        let stream = try BufferStream(
            setup, kernelDevice, queue: queue, handle: handle, request: request, isForeign: isForeign,
            isDirect: kernelDevice?.readsFromMemory == true)
        do {
            try open(stream, device)
        } catch {
            if error.isOfBuffer { failures += 1 }
            throw error
        }
        failures = 0
        _ = try keepPace(stream, device)
        let report = StreamReport(stream, plan: plan, status: status)
        while true {
            do {
                if let descriptor = stream.directDescriptor {
                    try awaitReadings(of: stream, descriptor, report)
                } else {
                    try stream.readBatch()
                    report.update()
                }
            } catch .call(_, EBADF) where stream.isBehind(pace.request) && !stop.isSet {
                // The buffer was cancelled because the pace changed.
            } catch {
                try recover(from: error, stream, device)
                report.restart()
            }
            if stop.isSet { throw .stopped }
            // At another rate the driver may refuse a buffer that it accepted before.
            if try keepPace(stream, device) { report.restart() }
        }
    }

    /// Recreates the buffer if the requested pace has changed and needs another buffer; otherwise only makes one
    /// comparison.
    ///
    /// - Returns: whether the buffer was recreated.
    private func keepPace(_ stream: BufferStream, _ device: IIODevice) throws(IIOError) -> Bool {
        var isAnother = false
        // The loop repeats in case the request changed before the new buffer could be cancelled.
        while case let request = pace.request, stream.isBehind(request) {
            guard stream.follow(request, settings: settings, status: status) else { continue }
            device.context.setTimeout(milliseconds: timeout(at: request.pace))
            try open(stream, device)
            isAnother = true
        }
        return isAnother
    }

    /// Has the consumer read the buffer until that fails, the device is silent, or the device or its pace has to be
    /// looked at.
    private func awaitReadings(
        of stream: BufferStream, _ descriptor: Int32, _ report: StreamReport
    ) throws(IIOError) {
        let direct = DirectStream(stream, descriptor: descriptor, failed: handle.interruption) { report.update() }
        reader.add(direct)
        defer { reader.remove(direct) }
        var batches: UInt64 = 0
        while !stop.isSet {
            handle.interruption.clear()
            if let failure = reader.progress(of: direct).failure { throw failure }
            if handle.isCancelled { throw .call("reading \(plan.name)", code: EBADF) }
            let request = pace.request
            if stream.isBehind(request) { return }
            let silence = Double(silence(at: request.pace)) / 1000
            if stop.wait(seconds: silence, orReadable: handle.interruption.descriptor) { continue }
            let progress = reader.look(at: direct)
            if progress.failure == nil, progress.batches == batches {
                throw .call("reading \(plan.name)", code: ETIMEDOUT)
            }
            batches = progress.batches
        }
    }

    static let refusal =
        "implausible samples or timestamps: check the scale"

    static func refusal(of kinds: [SensorKind]) -> String {
        kinds.map(\.rawValue).joined(separator: ", ") + ": " + refusal
    }

    /// Opens the buffer, after setting a trigger if the driver needs one.
    private func open(_ stream: BufferStream, _ device: IIODevice) throws(IIOError) {
        do {
            try stream.open()
        } catch .call(let what, EINVAL) {
            guard case .none = stream.setup.trigger.state else { throw .call(what, code: EINVAL) }
            try setTrigger(stream)
        }
        let sampling = stream.setup.trigger.report
        try device.context.requireAnswers()
        status.update { $0.sampling = sampling }
        // The stop flag may have been set before there was a buffer to cancel.
        if stop.isSet { throw .stopped }
    }

    /// Sets a trigger and opens the buffer with it.
    private func setTrigger(_ stream: BufferStream) throws(IIOError) {
        stream.close()
        try stream.setup.trigger.assign()
        stream.adoptTrigger(settings: settings, status: status)
        try stream.open()
    }

    /// Recovers from silence or cancellation. Checks that the device is still present, and recreates its buffer, which
    /// another program may have closed.
    private func recover(
        from error: IIOError, _ stream: BufferStream, _ device: IIODevice
    ) throws(IIOError) {
        if stop.isSet { throw .stopped }
        guard case .call(_, let code) = error else { throw error }
        if code == EINTR { return }
        guard [ETIMEDOUT, EAGAIN, EBADF].contains(code) else { throw error }
        let silence = Double(silence(at: pace.request.pace)) / 1000
        let reason = code == EBADF ? "reading was interrupted" : "no sample for \(silence) s"
        let line = status.change(.silent, "\(reason): reopening the buffer")
        // A missing device is reported only as missing, not also as silent.
        try checkPresence(device)
        status.write(line)
        // Some drivers open a buffer that waits for an interrupt that is not wired (bmi323). A trigger then fills the
        // buffer.
        if code != EBADF, stream.isUntouched, case .none = stream.setup.trigger.state { try setTrigger(stream) }
        try open(stream, device)
    }

    private func checkPresence(_ device: IIODevice) throws(IIOError) {
        guard let channel = device.channel(plan.kinds[0].channelNames[0]) else { throw .gone(plan.name) }
        let attribute = ["scale", "raw", "sampling_frequency"].first(where: channel.hasAttribute)
        guard let attribute else { return }
        do {
            _ = try channel.read(attribute)
        } catch .call(let what, let code) {
            if code == ENOENT || code == ENODEV { throw .gone(plan.name) }
            if code != EBUSY { throw .call(what, code: code) }
        }
    }

    /// Whether another computer's clock makes the device's timestamps.
    private var isForeign: Bool {
        if settings.isLocal { return false }
        return NetworkProbe.Endpoint(uri: settings.contextURI)?.isThisComputer != true
    }
}

extension DeviceSummary {
    fileprivate func isReadable(_ kind: SensorKind) -> Bool {
        kind.channelNames.allSatisfy { channels[$0]?.isReadable == true }
    }
}
