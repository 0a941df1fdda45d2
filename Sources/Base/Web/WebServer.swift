import CWebServer
import Glibc
import Linux

/// HTTP and WebSocket server on its own thread, based on libwebsockets.
///
/// libwebsockets polls on that thread, because the reactor cannot drive it. As Debian 12 builds it, its descriptors
/// cannot be watched from outside, and its interface for other event loops is private in version 4.1. This also keeps
/// the parsing of client data, and the waiting for slow clients, off the thread that handles poses. Handlers run on the
/// server's thread. `WebSocketInbox` passes events to a reactor, and `WebSocket` passes messages back.
///
/// Connections, requests, messages, queues and times are limited. A connection serves one request. While all
/// connections are taken, the oldest one without a complete request is closed when another client connects.
package final class WebServer: Sendable {
    /// Address that the server listens on, with its port.
    package let address: NetworkAddress
    private let thread: WorkerThread
    private let outbox: WebOutbox

    package init(
        _ site: WebSite, at requested: NetworkAddress, limits: WebLimits = WebLimits()
    ) throws(WebServerError) {
        let (address, descriptor) = try Self.listen(requested)
        let outbox = WebOutbox()
        let dispatcher = WebDispatcher(site, address, limits, outbox)
        let server = try dispatcher.makeServer(descriptor)
        outbox.open(server)
        self.address = address
        self.outbox = outbox
        thread = WorkerThread(name: "web") { stop in
            while !stop.isSet, cweb_turn(server.pointer) {}
            outbox.close()
            cweb_destroy(server.pointer)
            // The C library calls the dispatcher until the server has ended, so it must live until then.
            withExtendedLifetime(dispatcher) {}
        }
    }

    deinit { requestStop() }

    /// Makes a listening socket, which the caller has to close.
    private static func listen(
        _ requested: NetworkAddress
    ) throws(WebServerError) -> (NetworkAddress, descriptor: Int32) {
        do throws(SystemError) {
            let listener = try TCPListener(requested)
            let copy = fcntl(listener.descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { throw SystemError("listen at \(requested)", code: errno) }
            return (listener.address, copy)
        } catch {
            throw WebServerError(requested, error)
        }
    }

    package var hasEnded: Bool { thread.hasEnded }

    /// Requests that all connections end, without waiting for it.
    package func requestStop() {
        thread.requestStop()
        outbox.wake()
    }

    /// Ends all connections and stops listening. Returns whether the server has ended within the time limit.
    @discardableResult
    package func stop(timeoutSeconds: Double = 5) -> Bool {
        requestStop()
        return thread.stop(timeoutSeconds: timeoutSeconds)
    }
}
