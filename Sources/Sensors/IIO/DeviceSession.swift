import CIIO
import Glibc
import Linux

/// One device through one context: streams it, or polls it, until something ends the context.
struct DeviceSession {
    let plan: DevicePlan
    let settings: IIOSettings
    let pace: PaceControl
    let queue: MeasurementQueue
    let board: ReportBoard
    let handle: BufferHandle
    let stop: StopFlag

    private let admission = UdevAdmission()

    /// Tries of the buffer before the attributes have to do.
    private static let bufferAttempts = 3
    /// After this long the buffer gets another chance. Unit: s.
    private static let pollingSpan = 30.0

    /// Returns only by its error; `.stopped` when the stop flag is set.
    ///
    /// - Parameter failures: how often the buffer could not be set up in a row.
    func run(failures: inout Int) throws(IIOError) {
        let context = try IIOContext(
            uri: settings.contextURI, timeoutMilliseconds: timeout(at: pace.wish.pace), stop: stop)
        guard let device = context.device(of: plan) else { throw .gone(plan.name) }
        let summary = DeviceSummary(device)
        if settings.contextURI.hasPrefix("local") { admission.wait(for: device, stop: stop, board: board) }
        let canStream = plan.kinds.allSatisfy(summary.streams)
        let canPoll = plan.kinds.allSatisfy(summary.isReadable)
        // Without one the device has no buffer, and is polled for good.
        var reason = canStream ? "the buffer could not be set up" : nil
        if canStream, failures < Self.bufferAttempts || !canPoll {
            do {
                try stream(device, failures: &failures)
            } catch .unusable(let problem) where canPoll {
                reason = problem
            } catch {
                // Without a permission or a trigger the third try is no better than the first.
                guard !error.endsContext, !error.isBusy, canPoll, failures >= Self.bufferAttempts else { throw error }
                reason = error.description
            }
        }
        try poll(device, reason: reason)
        // One more try of the buffer; when it fails, polling goes on at once.
        failures = Self.bufferAttempts - 1
    }

    /// A server waits half of the time it is given, so that its own word comes before the connection counts as dead.
    private func timeout(at pace: SamplingPace) -> UInt32 {
        let silence = silence(at: pace)
        return settings.contextURI.hasPrefix("local") ? silence : min(silence, 60_000) * 2
    }

    /// Long enough for three batches of a slow sensor. Unit: ms.
    private func silence(at pace: SamplingPace) -> UInt32 {
        let rate = plan.kinds.map { settings.rate(of: $0, at: pace) }.min() ?? 1
        let batches = 3000 * Double(pace.batchSize(rate: rate, of: plan.kinds)) / max(rate, 0.1)
        return UInt32(max(Double(settings.silenceMilliseconds), min(batches, 60_000)))
    }

    // MARK: By buffer

    private func stream(_ device: IIODevice, failures: inout Int) throws(IIOError) {
        let wish = pace.wish
        // The context may be older than the wish.
        device.context.setTimeout(milliseconds: timeout(at: wish.pace))
        let setup = try DeviceSetup(
            device, plan: plan, settings: settings, pace: wish.pace, isBuffered: true, board: board)
        let stream = try BufferStream(setup, queue: queue, handle: handle, wish: wish, isForeign: isForeign)
        do {
            try open(stream, device)
        } catch {
            // Whoever holds the buffer lets go of it some time: that is no reason to do without.
            if !error.isBusy { failures += 1 }
            throw error
        }
        failures = 0
        try keepPace(stream, device)
        var told = Told()
        while true {
            do {
                try stream.readBatch()
                board.update { stream.settle(into: &$0) }
                tell(&told, setup, stream)
            } catch .call(_, EBADF) where stream.isBehind(pace.wish) && !stop.isSet {
                // Cancelled for the pace.
            } catch {
                try recover(from: error, stream, device)
                told.isStreaming = false
            }
            if stop.isSet { throw .stopped }
            try keepPace(stream, device)
        }
    }

    /// Sets the buffer up anew where another pace is wanted by now; costs a comparison where it is not.
    private func keepPace(_ stream: BufferStream, _ device: IIODevice) throws(IIOError) {
        // Again, should the wish have changed before the new buffer was there to be cancelled.
        while case let wish = pace.wish, stream.isBehind(wish) {
            stream.follow(wish, settings: settings, board: board)
            device.context.setTimeout(milliseconds: timeout(at: wish.pace))
            try open(stream, device)
        }
    }

    /// What the report and the log know of a stream.
    private struct Told {
        var isStreaming = false
        var isMapped = false
        var clockSteps = 0
    }

    /// Brings report and log up to date; costs three comparisons when nothing changed.
    private func tell(_ told: inout Told, _ setup: DeviceSetup, _ stream: BufferStream) {
        if stream.clockSteps != told.clockSteps {
            told.clockSteps = stream.clockSteps
            Log.notice(
                "\(plan.name): the timestamp clock (\(setup.clock.rawValue)) was set; timestamps continue in boot time")
        }
        guard !told.isStreaming || told.isMapped != stream.isMapped else { return }
        guard board.snapshot.lastSample != nil else {
            if stream.tally.refused >= Self.refusalsToTell { board.set(.failed, Self.refusal) }
            return
        }
        told.isStreaming = true
        told.isMapped = stream.isMapped
        board.set(.streaming, detail(setup, stream))
    }

    /// So many samples refused before the first good one are no accident.
    private static let refusalsToTell: UInt64 = 50
    private static let refusal =
        "implausible samples or timestamps: check the scale"

    /// Some drivers need their trigger before the buffer.
    private func open(_ stream: BufferStream, _ device: IIODevice) throws(IIOError) {
        do {
            try stream.open()
        } catch .call(_, EINVAL) where DeviceTrigger.setOwn(device) {
            try stream.open()
        }
        // A stop that came before the buffer was there to be cancelled.
        if stop.isSet { throw .stopped }
    }

    /// Silence, or a cancel from outside: the device is asked whether it is still there, and its buffer set up anew,
    /// for another program may have ended it.
    private func recover(
        from error: IIOError, _ stream: BufferStream, _ device: IIODevice
    ) throws(IIOError) {
        if stop.isSet { throw .stopped }
        guard case .call(_, let code) = error else { throw error }
        if code == EINTR { return }
        guard [ETIMEDOUT, EAGAIN, EBADF].contains(code) else { throw error }
        let silence = Double(silence(at: pace.wish.pace)) / 1000
        let reason = code == EBADF ? "reading was interrupted" : "no sample for \(silence) s"
        let news = board.note(.silent, "\(reason): reopening the buffer")
        // A device that is gone is told as that alone.
        try checkPresence(device)
        board.tell(news)
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

    private func detail(_ setup: DeviceSetup, _ stream: BufferStream) -> String? {
        let mapped = stream.isMapped ? "timestamps of another clock, mapped by arrival time" : nil
        let parts = [setup.detail, mapped].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// Whether the device's clocks are not this computer's.
    private var isForeign: Bool {
        if settings.contextURI.hasPrefix("local") { return false }
        return NetworkProbe.Endpoint(uri: settings.contextURI)?.isThisComputer != true
    }

    // MARK: By attributes

    private func poll(_ device: IIODevice, reason: String?) throws(IIOError) {
        var wish = pace.wish
        let setup = try DeviceSetup(
            device, plan: plan, settings: settings, pace: wish.pace, isBuffered: false, board: board)
        let poller = AttributePoller(setup, queue: queue)
        let end = BootClock.nanoseconds + Int64(Self.pollingSpan * 1e9)
        let parts = [reason, setup.detail].compactMap { $0 }
        let detail = parts.isEmpty ? nil : parts.joined(separator: "; ")
        var next = BootClock.nanoseconds
        var failuresInRow = 0
        while reason == nil || BootClock.nanoseconds < end {
            if case let newest = pace.wish, newest.revision != wish.revision {
                wish = newest
                poller.follow(wish.pace, settings: settings, board: board)
            }
            do {
                try poller.poll()
                failuresInRow = 0
                board.update { poller.settle(into: &$0) }
                if board.snapshot.lastSample != nil { board.set(.polling, detail) }
            } catch {
                failuresInRow += 1
                if case .call(_, let code) = error, code == ENOENT || code == ENODEV { throw .gone(plan.name) }
                // A busy bus is passing; ten failures in a row are not.
                if error.endsContext || failuresInRow >= 10 { throw error }
            }
            next = max(next + Int64(poller.period * 1e9), BootClock.nanoseconds)
            if stop.wait(seconds: Double(next - BootClock.nanoseconds) * 1e-9) { throw .stopped }
        }
    }
}

extension DeviceSummary {
    fileprivate func isReadable(_ kind: SensorKind) -> Bool {
        kind.channelNames.allSatisfy { channels[$0]?.isReadable == true }
    }
}
