import Glibc
import Linux

/// Thread of one device, which runs sessions with new contexts until the device is gone or the source stops.
final class DeviceWorker: Sendable {
    let plan: DevicePlan
    let status: DeviceStatus
    private let handle: BufferHandle
    private let thread: WorkerThread
    private let leaving: StopFlag

    /// - Parameter ended: signalled when the device is gone and has to be searched for again.
    init(
        plan: DevicePlan, settings: IIOSettings, pace: PaceControl, queue: MeasurementQueue, reader: DirectReader,
        status: DeviceStatus, ended: EventDescriptor
    ) {
        let handle = BufferHandle()
        let leaving = StopFlag()
        self.leaving = leaving
        self.plan = plan
        self.status = status
        self.handle = handle
        thread = WorkerThread(name: "iio \(plan.name)") { stop in
            LibraryOutput.divertOnThisThread()
            let session = DeviceSession(
                plan: plan, settings: settings, pace: pace, queue: queue, reader: reader, status: status,
                handle: handle, stop: stop)
            Self.run(session)
            // This is set before the signal, because the signal makes the search read `hasEnded`.
            leaving.set()
            ended.signal()
        }
    }

    /// Whether the device is gone; its thread may still be about to end.
    var hasEnded: Bool { leaving.isSet }

    /// Interrupts a blocked read, so that the session checks whether the device is gone. Called when udev has reported
    /// its removal.
    func checkPresence() { handle.cancel() }

    /// Interrupts a blocked read of a buffer that was set up for an earlier pace request than `revision`.
    func cancelRead(before revision: Int) { handle.cancel(before: revision) }

    /// Has the session look at the pace if a `DirectReader` reads its buffer. Otherwise it looks after each batch.
    func lookAtPace() { handle.interruption.signal() }

    func requestStop() {
        thread.requestStop()
        handle.cancel()
    }

    /// Waits for the end after `requestStop`.
    func join(timeoutSeconds: Double) -> Bool { thread.stop(timeoutSeconds: timeoutSeconds) }

    private static func run(_ session: DeviceSession) {
        var backoff = Backoff()
        var failures = 0
        while !session.stop.isSet {
            let before = session.status.snapshot.samples
            do {
                try session.run(failures: &failures)
            } catch .stopped {
                return
            } catch .gone(let name) {
                session.status.set(.searching, IIOError.gone(name).description)
                return
            } catch {
                session.status.set(.failed, error.description)
                if session.status.snapshot.samples != before { backoff = Backoff() }
                session.stop.wait(seconds: error.isBusy ? 1 : backoff.next())
            }
        }
    }
}

/// Exponential backoff from 0.25 s to 1 s, so that a device that comes back is found within two seconds.
struct Backoff {
    private var seconds = 0.25

    mutating func next() -> Double {
        defer { seconds = min(seconds * 2, 1) }
        return seconds
    }
}
