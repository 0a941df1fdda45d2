import Synchronization

/// Work of seconds or minutes on a thread of its own, with progress and result reported on the reactor.
///
/// A system call on a file that a client has opened may never return. In this case the task abandons the work: it
/// reports a substitute result and does not wait for the thread, which ends when the call returns. Not thread-safe: for
/// use on the reactor's thread.
package final class BackgroundTask<Progress: Sendable, Outcome: Sendable> {
    /// Interface to the task that the work uses on its own thread.
    package struct Context: Sendable {
        /// Flag that is set when the work should end soon.
        package let stop: StopFlag
        /// Clock for the system calls that may not return.
        package let clock: CallClock
        package let report: @Sendable (Progress) -> Void
    }

    package struct Handlers {
        package var progress: (Progress) -> Void
        /// Called once with the result of the work, or with a substitute when the work was abandoned.
        package var end: (Outcome) -> Void
        /// Called once when the thread ends, after `end`.
        package var release: () -> Void

        package init(
            progress: @escaping (Progress) -> Void = { _ in }, end: @escaping (Outcome) -> Void,
            release: @escaping () -> Void = {}
        ) {
            self.progress = progress
            self.end = end
            self.release = release
        }
    }

    private let reactor: Reactor
    private let shared = Shared()
    private let clock = CallClock()
    private var thread: WorkerThread?
    private var watch: Reactor.Watch?
    private var timer: TimerIdentifier?
    private var handlers: Handlers?

    private final class Shared: Sendable {
        let state = Mutex<(progress: Progress?, outcome: Outcome?)>((nil, nil))
        let wake = EventDescriptor()
    }

    /// Interval at which the clock is checked. Unit: nanoseconds.
    private static var lookInterval: Int64 { 500_000_000 }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - patience: duration of one system call after which the work is abandoned. Unit: seconds.
    ///   - stuck: the result if the work is abandoned.
    ///   - body: the work; has to return soon after the stop flag is set.
    package init(
        _ reactor: Reactor, name: String, patience: Double, stuck: @escaping @autoclosure () -> Outcome,
        handlers: Handlers, body: @escaping @Sendable (Context) -> Outcome
    ) throws(SystemError) {
        self.reactor = reactor
        self.handlers = handlers
        let (shared, clock) = (shared, clock)
        // The reactor retains the task until the thread has ended.
        watch = try reactor.watch(shared.wake.descriptor, .reading) { _ in self.woken() }
        timer = reactor.every(Self.lookInterval) { [weak self] in
            if let self, clock.seconds > patience { giveUp(stuck()) }
        }
        thread = WorkerThread(name: name) { stop in
            WorkerThread.lowerPriority()
            let context = Context(stop: stop, clock: clock) { progress in
                shared.state.withLock { $0.progress = progress }
                shared.wake.signal()
            }
            let outcome = body(context)
            ProcessResources.returnFreeMemory()
            shared.state.withLock { $0.outcome = outcome }
            shared.wake.signal()
        }
    }

    /// Asks the thread to end; its result is reported as usual.
    package func cancel() { thread?.requestStop() }

    /// Asks the thread to end and waits for it; no further events are reported.
    package func stop(timeoutSeconds: Double) {
        thread?.stop(timeoutSeconds: timeoutSeconds)
        forget()
    }

    /// Reports a substitute result, and asks the work to end as soon as it can.
    private func giveUp(_ outcome: Outcome) {
        cancel()
        stopTimer()
        let report = handlers?.end
        handlers?.end = { _ in }
        handlers?.progress = { _ in }
        report?(outcome)
    }

    private func woken() {
        shared.wake.clear()
        let (progress, outcome) = shared.state.withLock { state in
            defer { state.progress = nil }
            return (state.progress, state.outcome)
        }
        if let progress { handlers?.progress(progress) }
        guard let outcome else { return }
        let handlers = handlers
        forget()
        handlers?.end(outcome)
        handlers?.release()
    }

    private func stopTimer() { if let timer = timer.take() { reactor.cancel(timer) } }

    /// Breaks the reference cycles that the reactor and the handlers are part of.
    private func forget() {
        stopTimer()
        if let watch = watch.take() { reactor.remove(watch) }
        handlers = nil
    }
}
