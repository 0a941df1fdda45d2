import Linux
import Synchronization

/// Work of seconds or minutes on a thread of its own, watched over from the reactor.
///
/// For use from the reactor's thread.
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

    /// Starts at once.
    ///
    /// - Parameters:
    ///   - name: of the thread.
    ///   - onProgress: called on the reactor with the newest that `body` reported.
    ///   - onEnd: called on the reactor, once, with what `body` returned.
    ///   - body: ends soon after the flag is set.
    package init(
        _ reactor: Reactor, name: String, onProgress: @escaping (Progress) -> Void,
        onEnd: @escaping (Outcome) -> Void,
        body: @escaping @Sendable (StopFlag, @escaping (Progress) -> Void) -> Outcome
    ) throws(SystemError) {
        self.reactor = reactor
        self.onProgress = onProgress
        self.onEnd = onEnd
        let shared = shared
        // Kept by the reactor until the end is reported.
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

    /// Asks it to end; its end is reported as always.
    package func cancel() { thread?.requestStop() }

    /// Asks it to end and waits; its end is not reported any more.
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
        let tell = onEnd
        forget()
        tell(outcome)
    }

    /// Lets go of all that holds it.
    private func forget() {
        if let watch { reactor.remove(watch) }
        watch = nil
        onProgress = { _ in }
        onEnd = { _ in }
    }
}
