import Glibc
import Linux

/// Probes an IIO server before libiio connects, because libiio's connect cannot be interrupted.
enum NetworkProbe {
    /// Requests the server's version. Returns at once if the context is not on a network, or if libiio discovers its
    /// host.
    ///
    /// - Throws: `.call` with the error of the connection, `.unusable` if the server does not respond, `.stopped`.
    static func check(uri: String, timeoutMilliseconds: UInt32, stop: StopFlag) throws(IIOError) {
        if stop.isSet { throw .stopped }
        guard let endpoint = Endpoint(uri: uri) else { return }
        let descriptor = try connect(endpoint, uri: uri)
        defer { close(descriptor) }
        let seconds = Double(timeoutMilliseconds) / 1000
        try wait(descriptor, for: Int16(POLLOUT), seconds, stop, uri)
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        if code != 0 { throw .call("connecting to \(uri)", code: code) }
        let question = "VERSION\r\n"
        guard send(descriptor, question, question.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else {
            throw .call("connecting to \(uri)", code: errno)
        }
        try wait(descriptor, for: Int16(POLLIN), seconds, stop, uri)
        var answer: UInt8 = 0
        guard recv(descriptor, &answer, 1, 0) == 1 else { throw .call("connecting to \(uri)", code: EPIPE) }
    }

    /// Host and port of an `ip:` context.
    struct Endpoint: Hashable {
        var host: String
        var port: String

        /// Parses a context URI; nil for contexts of other kinds and for `ip:` alone.
        init?(uri: String) {
            guard uri.hasPrefix("ip:") else { return nil }
            var rest = uri.dropFirst(3)
            port = "30431"
            if rest.first == "[", let end = rest.firstIndex(of: "]") {
                host = String(rest[rest.index(after: rest.startIndex)..<end])
                rest = rest[rest.index(after: end)...]
                if rest.first == ":" { port = String(rest.dropFirst()) }
            } else {
                let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
                // More than one colon without brackets means an IPv6 address.
                host = parts.count == 2 ? String(parts[0]) : String(rest)
                if parts.count == 2 { port = String(parts[1]) }
            }
            if host.isEmpty || port.isEmpty { return nil }
        }

        /// Whether the server is this computer, and so shares its clocks.
        var isThisComputer: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
    }

    private static func connect(_ endpoint: Endpoint, uri: String) throws(IIOError) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(endpoint.host, endpoint.port, &hints, &list) == 0, let address = list else {
            throw .unusable("IIO context \(uri): host \(endpoint.host) or port \(endpoint.port) unknown")
        }
        defer { freeaddrinfo(list) }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.pointee.ai_family, kind, 0)
        guard descriptor >= 0 else { throw .call("connecting to \(uri)", code: errno) }
        let result = Glibc.connect(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen)
        if result != 0, errno != EINPROGRESS {
            let code = errno
            close(descriptor)
            throw .call("connecting to \(uri)", code: code)
        }
        return descriptor
    }

    private static func wait(
        _ descriptor: Int32, for events: Int16, _ seconds: Double, _ stop: StopFlag, _ uri: String
    ) throws(IIOError) {
        let isReady = stop.wait(seconds: seconds, for: events, on: descriptor)
        if stop.isSet { throw .stopped }
        if !isReady {
            throw .unusable(
                "connecting to \(uri): no answer (is iiod running there, and does IPAddressAllow= of the service permit "
                    + "its address?)")
        }
    }
}
