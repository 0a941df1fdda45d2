import Linux

/// Rules for the requests that a server answers. They must only read, and their `Host` must name the server.
///
/// A page of another host, opened in a browser on this machine, can make the name of that host resolve to the loopback
/// address (DNS rebinding) and then read from this server. The name in `Host` reveals such a page.
struct RequestRules {
    let address: NetworkAddress
    let hostNames: [String]

    /// Returns the response that refuses a request; nil if the request may be answered.
    func refusal(of request: WebRequest) -> WebResponse? {
        guard !request.isTooLong else {
            return .refusal(431, "the path or a header of the request is too long")
        }
        guard request.method == "GET" || request.method == "HEAD" && request.upgrade == nil else {
            return .refusal(
                405, "only GET and HEAD are served here", header: .init(name: "Allow", value: "GET, HEAD"))
        }
        guard !request.host.isEmpty else { return .refusal(400, "the request has no Host") }
        guard isOwn(request.host) else {
            return .refusal(421, "this server is not called \(request.host): use http://\(address)/")
        }
        return nil
    }

    /// Whether a page of this origin may open a WebSocket. Clients other than browsers have no origin.
    func allows(origin: String, _ origins: WebSocketRoute.Origins) -> Bool {
        guard !origin.isEmpty else { return true }
        switch origins {
        case .any: return true
        case .own: return isOwnOrigin(origin)
        case .these(let others): return isOwnOrigin(origin) || others.contains(origin)
        }
    }

    private func isOwnOrigin(_ origin: String) -> Bool {
        origin.hasPrefix("http://") && isOwn(String(origin.dropFirst("http://".count)))
    }

    /// Whether HOST:PORT, or HOST alone at port 80, names this server. If the server does not listen on loopback, any
    /// numeric address names it, because pages of other hosts cannot have a numeric address as their name.
    private func isOwn(_ text: String) -> Bool {
        let lowercased = text.lowercased()
        let variants = address.port == 80 ? [lowercased, lowercased + ":80"] : [lowercased]
        return variants.contains { text in
            if let named = try? NetworkAddress(text) {
                return named.port == address.port && (named.isLoopback || !address.isLoopback || named == address)
            }
            return hostNames.contains { text == "\($0.lowercased()):\(address.port)" }
        }
    }
}
