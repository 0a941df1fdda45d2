import CWebServer
import Synchronization

/// Passes commands for WebSockets from other threads to the server's thread.
package final class WebOutbox: Sendable {
    enum Command: Sendable {
        case send(UInt64, WebSocketMessage)
        case close(UInt64, UInt16)
        case reportDrained(UInt64)
    }

    private struct State {
        /// Nil while the server does not run.
        var server: WebServerPointer?
        var commands: [Command] = []
    }

    private let state = Mutex(State())

    package init() {}

    package func open(_ server: WebServerPointer) { state.withLock { $0.server = server } }

    /// Refuses commands from now on. After this returns, no thread uses the server.
    func close() {
        state.withLock {
            $0.server = nil
            $0.commands = []
        }
    }

    /// Returns whether the server runs.
    @discardableResult
    func post(_ command: Command) -> Bool {
        state.withLock { state in
            guard let server = state.server else { return false }
            state.commands.append(command)
            if state.commands.count == 1 { cweb_wake(server.pointer) }
            return true
        }
    }

    /// Makes the server check its stop flag.
    func wake() { state.withLock { if let server = $0.server { cweb_wake(server.pointer) } } }

    func take() -> [Command] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }
}

/// Server of the C library. Other threads call only its function `cweb_wake`.
package struct WebServerPointer: @unchecked Sendable {
    package let pointer: OpaquePointer
}
