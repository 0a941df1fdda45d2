import Linux

/// Report and log of a buffer's stream. Used by the thread that reads the buffer.
final class StreamReport {
    private let plan: DevicePlan
    private let status: DeviceStatus
    private let stream: BufferStream
    private var isStreaming = false
    private var isMapped = false
    private var clockSteps = 0
    private var faults = 0

    init(_ stream: BufferStream, plan: DevicePlan, status: DeviceStatus) {
        self.stream = stream
        self.plan = plan
        self.status = status
    }

    /// Has the state reported again by the next `update`.
    func restart() { isStreaming = false }

    /// Adds the counts to the report, and sets the state if something changed; to be called after each batch.
    func update() {
        status.update { stream.flush(into: &$0) }
        if stream.clockSteps != clockSteps {
            clockSteps = stream.clockSteps
            let clock = stream.setup.clock.rawValue
            Log.notice("\(plan.name): the timestamp clock (\(clock)) was set; timestamps continue in boot time")
        }
        let faults = stream.refusals.faults
        guard !isStreaming || isMapped != stream.isMapped || self.faults != faults else { return }
        self.faults = faults
        if faults > 0 { return status.set(.failed, DeviceSession.refusal(of: stream.refusals.faulty)) }
        guard status.snapshot.lastSample != nil else {
            if stream.tally.refused >= Self.refusalsBeforeFailure { status.set(.failed, DeviceSession.refusal) }
            return
        }
        isStreaming = true
        isMapped = stream.isMapped
        status.set(.streaming, detail)
    }

    /// Number of rejected samples that counts as a failure if no valid sample has arrived before.
    private static let refusalsBeforeFailure: UInt64 = 50

    private var detail: String? {
        let mapped = stream.isMapped ? "timestamps of another clock, mapped by arrival time" : nil
        let parts = [stream.setup.detail, mapped].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
