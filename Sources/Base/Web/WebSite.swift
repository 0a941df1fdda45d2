import Linux

/// Content of a server: pages by their paths, and WebSockets.
package struct WebSite: Sendable {
    /// Makes the response to each request for a page. Called on the server's thread, which it must not block.
    package typealias Page = @Sendable (WebRequest) -> WebResponse

    /// Pages by their paths, which begin with a slash.
    package var pages: [String: Page] = [:]
    /// Handlers by folder path, which begins and ends with a slash. Each handler makes the response to the requests
    /// below its folder. These requests have to carry the token.
    package var folders: [String: Page] = [:]
    /// WebSockets, each with a path of its own.
    package var sockets: [WebSocketRoute] = []
    /// Token that requests for a WebSocket, or below a folder, have to carry, as `?token=TOKEN`; nil for none. Pages
    /// are served without it and must not contain protected data.
    package var token: AccessToken?
    /// Names of this host, such as `board.local`, that clients may use in addition to numeric addresses and
    /// `localhost`.
    package var hostNames: [String] = []

    package init() {}

    /// Decision about a request.
    enum Decision: Equatable {
        case respond(WebResponse)
        /// Open a WebSocket of the route with this index.
        case open(Int)
    }

    /// Decides how to answer a request to a server at `address`.
    func decide(_ request: WebRequest, at address: NetworkAddress) -> Decision {
        let rules = RequestRules(address: address, hostNames: hostNames)
        if let refusal = rules.refusal(of: request) { return .respond(refusal) }
        if let upgrade = request.upgrade { return open(request, upgrade, rules) }
        if let page = pages[request.path] { return .respond(page(request)) }
        if let folder = folders.first(where: { request.path.hasPrefix($0.key) })?.value {
            return .respond(isAuthorized(request) ? folder(request) : Self.unauthorized)
        }
        guard sockets.contains(where: { $0.path == request.path }) else { return .respond(notFound) }
        // If a WebSocket is refused, a browser does not tell the page why, so the page finds out with a plain request
        // to the same path.
        if !isAuthorized(request) { return .respond(Self.unauthorized) }
        return .respond(
            .refusal(426, "this path serves a WebSocket", header: .init(name: "Upgrade", value: "websocket")))
    }

    private func open(_ request: WebRequest, _ upgrade: WebRequest.Upgrade, _ rules: RequestRules) -> Decision {
        guard let index = sockets.firstIndex(where: { $0.path == request.path }) else { return .respond(notFound) }
        let route = sockets[index]
        guard upgrade.version == "13" else {
            let header = WebResponse.Header(name: "Sec-WebSocket-Version", value: "13")
            return .respond(.refusal(426, "only version 13 of the WebSocket protocol is served", header: header))
        }
        guard rules.allows(origin: request.origin, route.origins) else {
            return .respond(.refusal(403, "pages of \(request.origin) may not connect to this server"))
        }
        guard isAuthorized(request) else { return .respond(Self.unauthorized) }
        guard route.takes(chosen(upgrade.subprotocols), offered: upgrade.subprotocols) else {
            let known = route.subprotocols.joined(separator: ", ")
            return .respond(
                .refusal(
                    400,
                    known.isEmpty ? "this WebSocket has no subprotocols: offer none" : "offer as subprotocol: \(known)")
            )
        }
        return .open(index)
    }

    private func isAuthorized(_ request: WebRequest) -> Bool { token?.matches(request.token) ?? true }

    private static let unauthorized = WebResponse.refusal(
        403, "the address needs the token that this server wrote with its own address: ?token=TOKEN")

    /// Returns the subprotocol that libwebsockets will choose: the first offered one that any route has.
    private func chosen(_ offered: [String]) -> String? {
        offered.first { name in sockets.contains { $0.subprotocols.contains(name) } }
    }

    private var notFound: WebResponse {
        let paths = (Array(pages.keys) + sockets.map(\.path)).sorted()
        return .refusal(404, "there is no such page; there are: " + paths.joined(separator: ", "))
    }
}
