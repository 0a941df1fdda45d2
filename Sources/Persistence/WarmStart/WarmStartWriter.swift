import Linux
import Synchronization

/// Writes warm starts from a thread of its own: a disk may take its time.
package final class WarmStartWriter: Sendable {
    private let thread: WorkerThread
    private let pending: Pending

    /// The newest that has not been written; older ones are of no use.
    private final class Pending: Sendable {
        let bytes = Mutex<[UInt8]?>(nil)
        let wake = EventDescriptor()
    }

    private static let log = LogLimiter("warm start", lines: 1, interval: 3_600_000_000_000)
    /// The thread sleeps until it is woken. Unit: seconds.
    private static let longestSleep = 3600.0

    package init(_ file: WarmStartFile) {
        let pending = Pending()
        self.pending = pending
        thread = WorkerThread(name: "warm start") { stop in
            while !stop.isSet {
                stop.wait(seconds: Self.longestSleep, orReadable: pending.wake.descriptor)
                pending.wake.clear()
                Self.write(pending.bytes.withLock { $0.take() }, to: file)
            }
            Self.write(pending.bytes.withLock { $0.take() }, to: file)
        }
    }

    deinit { thread.requestStop() }

    /// Returns at once.
    package func write(_ bytes: [UInt8]) {
        pending.bytes.withLock { $0 = bytes }
        pending.wake.signal()
    }

    /// Lets the thread write what waits, and end.
    package func requestEnd() { thread.requestStop() }

    package func end(timeoutSeconds: Double) { thread.stop(timeoutSeconds: timeoutSeconds) }

    private static func write(_ bytes: [UInt8]?, to file: WarmStartFile) {
        guard let bytes else { return }
        do throws(FileError) {
            try file.replace(with: bytes)
        } catch {
            log.write(.warning, "\(file.path) cannot be written; the next start will be a cold start: \(error)")
        }
    }
}
