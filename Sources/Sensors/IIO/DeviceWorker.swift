import Glibc
import Linux

/// The thread of one device: keeps it delivering through new contexts until it is gone or the source stops.
final class DeviceWorker: Sendable {
    let plan: DevicePlan
    let board: ReportBoard
    private let handle: BufferHandle
    private let thread: WorkerThread
    private let leaving: StopFlag

    /// - Parameter ended: signalled when the device is gone and has to be searched anew.
    init(
        plan: DevicePlan, settings: IIOSettings, pace: PaceControl, queue: MeasurementQueue, board: ReportBoard,
        ended: EventDescriptor
    ) {
        let handle = BufferHandle()
        let leaving = StopFlag()
        self.leaving = leaving
        self.plan = plan
        self.board = board
        self.handle = handle
        thread = WorkerThread(name: "iio \(plan.name)") { stop in
            LibraryOutput.divertOnThisThread()
            let session = DeviceSession(
                plan: plan, settings: settings, pace: pace, queue: queue, board: board, handle: handle, stop: stop)
            Self.keep(session)
            // Before the signal: who wakes by it must see that this worker serves its kinds no more.
            leaving.set()
            ended.signal()
        }
    }

    /// The device is served no more; the thread has at most its last lines to run.
    var hasEnded: Bool { leaving.isSet }

    /// The device was unplugged, or so udev says: a blocked read returns and finds out.
    func checkPresence() { handle.cancel() }

    /// Somebody waits: a blocked read of a buffer of an earlier pace returns at once.
    func hurry(to revision: Int) { handle.cancel(before: revision) }

    func requestStop() {
        thread.requestStop()
        handle.cancel()
    }

    /// Waits for the end after `requestStop`.
    func join(timeoutSeconds: Double) -> Bool { thread.stop(timeoutSeconds: timeoutSeconds) }

    private static func keep(_ session: DeviceSession) {
        var backoff = Backoff()
        var failures = 0
        while !session.stop.isSet {
            let before = session.board.snapshot.samples
            do {
                try session.run(failures: &failures)
            } catch .stopped {
                return
            } catch .gone(let name) {
                session.board.set(.searching, IIOError.gone(name).description)
                return
            } catch {
                session.board.set(.failed, error.description)
                if session.board.snapshot.samples != before { backoff = Backoff() }
                session.stop.wait(seconds: error.isBusy ? 1 : backoff.next())
            }
        }
    }
}

/// Waits that double from a quarter of a second to one second, so that what comes back is found within two.
struct Backoff {
    private var seconds = 0.25

    mutating func next() -> Double {
        defer { seconds = min(seconds * 2, 1) }
        return seconds
    }
}
