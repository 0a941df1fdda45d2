import Glibc
import Linux

/// Reason why a device is polled although it has a buffer.
struct PollingReason {
    var text: String
    /// Whether the buffer needs a trigger and there is none.
    var isTriggerMissing = false
}

extension DeviceSession {
    /// Duration of polling after which the buffer is tried again. Unit: s.
    private static let pollingSpan = 30.0
    /// Number of consecutive failures that is permitted, because a bus may be busy for a while.
    private static let maximumFailureCount = 10

    /// Reads the device's attributes until an error occurs, or until the buffer should be tried again.
    ///
    /// - Parameter reason: reason why the device's buffer is not used; nil if the device has no buffer.
    func poll(_ device: IIODevice, reason: PollingReason?) throws(IIOError) {
        var request = pace.request
        let setup = try DeviceSetup(
            device, plan: plan, settings: settings, pace: request.pace, isBuffered: false, status: status)
        let poller = AttributePoller(setup, request.pace, queue: queue)
        let isTriggerMissing = reason?.isTriggerMissing ?? false
        let sampling = DeviceReport.Sampling(.polling, reason: reason?.text, isTriggerMissing: isTriggerMissing)
        status.update { $0.sampling = sampling }
        var end = BootClock.nanoseconds + Int64(Self.pollingSpan * 1e9)
        var next = BootClock.nanoseconds
        var failuresInRow = 0
        var reported = ReportedPolling()
        while true {
            if reason != nil, BootClock.nanoseconds >= end {
                guard isTriggerMissing, isTriggerStillMissing() else { return }
                end = BootClock.nanoseconds + Int64(Self.pollingSpan * 1e9)
            }
            if case let newest = pace.request, newest.revision != request.revision {
                request = newest
                poller.follow(request.pace, settings: settings, status: status)
                // The state is reported again, since the driver may refuse the rate of the new pace.
                reported.isPolling = false
            }
            do {
                try poller.poll()
                failuresInRow = 0
                status.update { poller.flush(into: &$0) }
                report(&reported, poller, reason)
            } catch {
                failuresInRow += 1
                if case .call(_, let code) = error, code == ENOENT || code == ENODEV { throw .gone(plan.name) }
                if error.endsContext || failuresInRow >= Self.maximumFailureCount { throw error }
            }
            next = max(next + Int64(poller.period * 1e9), BootClock.nanoseconds)
            if stop.wait(seconds: Double(next - BootClock.nanoseconds) * 1e-9) { throw .stopped }
        }
    }

    private struct ReportedPolling {
        var isPolling = false
        var faults = 0
    }

    /// Updates report and log; costs two comparisons if nothing changed.
    private func report(_ reported: inout ReportedPolling, _ poller: AttributePoller, _ reason: PollingReason?) {
        let faults = poller.refusals.faults
        guard !reported.isPolling || reported.faults != faults else { return }
        reported.faults = faults
        if faults > 0 {
            reported.isPolling = true
            return status.set(.failed, Self.refusal(of: poller.refusals.faulty))
        }
        guard status.snapshot.lastSample != nil else { return }
        reported.isPolling = true
        let parts = [reason?.text, poller.setup.detail].compactMap { $0 }
        status.set(.polling, parts.isEmpty ? nil : parts.joined(separator: "; "))
    }

    /// Whether the buffer still has no trigger. If so, polling continues without another attempt at the buffer.
    private func isTriggerStillMissing() -> Bool {
        // A new context is needed, because a context does not show triggers that were created after it.
        guard
            let context = try? IIOContext(
                uri: settings.contextURI, timeoutMilliseconds: timeout(at: pace.request.pace), stop: stop),
            let device = context.device(of: plan)
        else { return false }
        return DeviceTrigger(device, kinds: plan.kinds).isMissing
    }
}
