import Glibc
import Linux
import Synchronization
import WaymarkClient
import WaymarkInterface

/// Requests the daemon's health once a second on its own thread. Access to the answer never waits.
package final class StatusSource: Sendable {
    package struct Answer: Sendable {
        package let status: Waymark.Status
        /// Time of its arrival, CLOCK_BOOTTIME. Unit: nanoseconds.
        package let time: Int64
    }

    private let state = Shared()
    private let worker: WorkerThread

    private final class Shared: Sendable { let answer = Mutex<Answer?>(nil) }

    /// Interval of requests. Unit: ns.
    private static let interval: Int64 = 1_000_000_000
    /// Longest pause between two attempts to connect. Unit: seconds.
    private static let maximumPause = 2.0

    /// Starts requesting.
    package init(socket: String) {
        let state = state
        worker = WorkerThread(name: "status") { stop in
            while !stop.isSet {
                Self.ask(socket, state, stop)
                state.answer.withLock { $0 = nil }
                stop.wait(seconds: Self.maximumPause)
            }
        }
    }

    deinit { worker.requestStop() }

    /// Newest answer; nil while there is no connection.
    package var newest: Answer? { state.answer.withLock { $0 } }

    /// Requests over one connection until it ends.
    private static func ask(_ socket: String, _ state: Shared, _ stop: StopFlag) {
        do throws(WaymarkError) {
            let client = try Waymark.Client(path: socket, cancel: stop.descriptor)
            while !stop.isSet {
                let status = try client.status()
                let answer = Answer(status: status, time: BootClock.nanoseconds)
                state.answer.withLock { $0 = answer }
                stop.wait(seconds: Double(interval) / 1e9)
            }
        } catch {
            Log.debug("no status: \(error)")
        }
    }
}
