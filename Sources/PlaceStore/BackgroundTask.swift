import Linux
import Synchronization

/// Work of seconds or minutes on a thread of its own, with progress and result reported on the reactor.
///
/// Not thread-safe: for use on the reactor's thread.
package final class BackgroundTask<Progress: Sendable, Outcome: Sendable> {
    private let reactor: Reactor
    private let shared = Shared()
    private var thread: WorkerThread?
    private var watch: Reactor.Watch?
    private var onProgress: (Progress) -> Void
    private var onEnd: (Outcome) -> Void

    private final class Shared: Sendable {
        let state = Mutex<(progress: Progress?, outcome: Outcome?)>((nil, nil))
        let wake = EventDescriptor()
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: name of the thread.
    ///   - onProgress: called on the reactor with the newest progress reported by `body`.
    ///   - onEnd: called once on the reactor with the result of `body`.
    ///   - body: the work; has to return soon after the flag is set.
    package init(
        _ reactor: Reactor, name: String, onProgress: @escaping (Progress) -> Void,
        onEnd: @escaping (Outcome) -> Void,
        body: @escaping @Sendable (StopFlag, @escaping (Progress) -> Void) -> Outcome
    ) throws(SystemError) {
        self.reactor = reactor
        self.onProgress = onProgress
        self.onEnd = onEnd
        let shared = shared
        // The reactor retains the task until its end is reported.
        watch = try reactor.watch(shared.wake.descriptor, .reading) { _ in self.woken() }
        thread = WorkerThread(name: name) { stop in
            WorkerThread.lowerPriority()
            let outcome = body(stop) { progress in
                shared.state.withLock { $0.progress = progress }
                shared.wake.signal()
            }
            ProcessResources.returnFreeMemory()
            shared.state.withLock { $0.outcome = outcome }
            shared.wake.signal()
        }
    }

    /// Asks the thread to end; `onEnd` is called as usual.
    package func cancel() { thread?.requestStop() }

    /// Asks the thread to end and waits for it; `onEnd` is not called any more.
    package func stop(timeoutSeconds: Double) {
        thread?.stop(timeoutSeconds: timeoutSeconds)
        forget()
    }

    private func woken() {
        shared.wake.clear()
        let (progress, outcome) = shared.state.withLock { state in
            defer { state.progress = nil }
            return (state.progress, state.outcome)
        }
        if let progress { onProgress(progress) }
        guard let outcome else { return }
        let report = onEnd
        forget()
        report(outcome)
    }

    /// Breaks the reference cycles through the reactor and the callbacks.
    private func forget() {
        if let watch { reactor.remove(watch) }
        watch = nil
        onProgress = { _ in }
        onEnd = { _ in }
    }
}
