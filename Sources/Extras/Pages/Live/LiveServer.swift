import Configuration
import Glibc
import Linux
import Web

/// `waymark serve`: the live page and Foxglove's protocol at one address.
///
/// The server has its own thread. The thread that calls `run` communicates with the daemon.
package final class LiveServer {
    /// Reason why the server cannot run as requested.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    private let reactor: Reactor
    private let signals: SignalWatch
    private let gateway: VarlinkGateway
    private let foxglove: FoxgloveServer
    private let server: WebServer
    private let token: AccessToken?

    /// Interval at which the server's thread is checked. Unit: ns.
    private static let interval: Int64 = 1_000_000_000

    /// Starts serving.
    ///
    /// - Parameter settings: settings, of which the section `serve` and the daemon's socket are used.
    /// - Throws: `Problem` if the address is not permitted or the token cannot be used; `WebServerError`;
    ///   `SystemError`.
    package init(_ settings: Configuration, version: String) throws {
        let address = try Self.address(settings.serve)
        token = try Self.token(settings.serve)
        let reactor = try Reactor()
        self.reactor = reactor
        // Threads inherit the signal mask, so that the signals are blocked before other threads start.
        signals = try SignalWatch(reactor, [SIGINT, SIGTERM]) { [unowned reactor] _ in reactor.stop() }
        gateway = try VarlinkGateway(
            reactor, socket: settings.service.socket, allowsChanges: settings.serve.allowChanges)
        foxglove = try FoxgloveServer(
            reactor, socketPath: settings.service.socket, version: version, origins: Self.words(settings.serve.origins))
        var site = WebSite()
        site.pages = PageFiles.pages
        site.pages[AccessFile.path] = AccessFile.page(allowsChanges: settings.serve.allowChanges)
        site.folders = try Self.folders(settings.serve)
        site.sockets = [gateway.route, foxglove.route]
        site.token = token
        site.hostNames = Self.words(settings.serve.hostNames)
        server = try WebServer(site, at: address, limits: Self.limits)
    }

    /// Address at which the server listens, with its port and the token.
    package var address: PageAddress { PageAddress(server: server.address, token: token) }

    /// Serves until SIGINT or SIGTERM.
    ///
    /// - Parameter interval: interval between calls of `heartbeat`; nil if it is never called. Unit: ns.
    /// - Throws: `Problem` if the server's thread has ended.
    package func run(every interval: Int64?, heartbeat: @escaping () -> Void) throws(Problem) {
        if let interval { reactor.every(interval, handler: heartbeat) }
        reactor.every(Self.interval) { [unowned self] in if server.hasEnded { reactor.stop() } }
        reactor.run()
        let isBroken = server.hasEnded
        server.stop()
        if isBroken { throw Problem(description: "the HTTP server has ended: start the program again") }
    }

    /// Limits that suffice for the pages of a few users, each with four WebSockets.
    private static let limits: WebLimits = {
        var limits = WebLimits()
        limits.connections = 96
        limits.sockets = 64
        return limits
    }()

    private static func address(_ section: Configuration.Serve) throws(Problem) -> NetworkAddress {
        let address: NetworkAddress
        do throws(NetworkAddress.Problem) {
            address = try NetworkAddress(section.http)
        } catch {
            throw Problem(description: "serve.http: '\(section.http)' \(error)")
        }
        guard address.isLoopback || section.allowRemote else {
            throw Problem(
                description:
                    "serve.http: \(address) is reachable from other computers, and positions are personal data: "
                    + "use 127.0.0.1, or permit it by --allow-remote or serve.allow_remote = true")
        }
        guard address.isLoopback || section.requireToken else {
            throw Problem(
                description:
                    "serve.http: \(address) is reachable from other computers, which always need the token: leave out "
                    + "--no-token, and set serve.require_token = true")
        }
        return address
    }

    private static func token(_ section: Configuration.Serve) throws(Problem) -> AccessToken? {
        guard section.requireToken else {
            guard !section.allowChanges else {
                throw Problem(
                    description:
                        "serve.allow_changes: without a token every program of this computer could set the destination: leave "
                        + "out --no-token, and set serve.require_token = true")
            }
            return nil
        }
        guard !section.tokenFile.isEmpty else { return AccessToken() }
        let bytes: [UInt8]?
        do throws(WholeFile.Unreadable) {
            bytes = try WholeFile(path: section.tokenFile).read(maximumLength: AccessToken.lengths.upperBound + 1)
        } catch {
            throw Problem(description: "serve.token_file: \(section.tokenFile): \(error)")
        }
        guard let bytes else { throw Problem(description: "serve.token_file: there is no file \(section.tokenFile)") }
        let line = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
        guard let token = AccessToken(String(decoding: line, as: UTF8.self)) else {
            let (minimum, maximum) = (AccessToken.lengths.lowerBound, AccessToken.lengths.upperBound)
            throw Problem(
                description:
                    "serve.token_file: \(section.tokenFile) must be one line of \(minimum) to \(maximum) letters, digits, "
                    + "hyphens and underscores, such as `openssl rand -hex 16` writes")
        }
        return token
    }

    /// Folders with pictures of places and tiles of a map, if there are any.
    private static func folders(_ section: Configuration.Serve) throws(Problem) -> [String: WebSite.Page] {
        var folders: [String: WebSite.Page] = [:]
        if !section.pictures.isEmpty {
            let pictures = PictureFiles(folder: section.pictures)
            folders[PictureFiles.path] = { pictures.response(to: $0) }
        }
        do throws(TileProblem) {
            let map = try TileMap(path: section.tiles)
            folders[TileMap.path] = { map.response(to: $0) }
        } catch {
            throw Problem(description: error.description)
        }
        return folders
    }

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
