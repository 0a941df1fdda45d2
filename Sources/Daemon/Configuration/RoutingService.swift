import Linux

/// Kind and address of a routing service that the user runs.
///
/// The user declares the kind. It is never guessed, because both kinds use HTTP, and a wrong guess would send the
/// wearer's position to an unrelated program.
public struct RoutingService: Hashable, Sendable, CustomStringConvertible {
    /// Routing program. Its raw value is the name that precedes the address in the settings.
    public enum Kind: String, CaseIterable, Sendable {
        case osrm, valhalla

        /// Default address: this machine, at the program's documented port.
        var usualAddress: String {
            switch self {
            case .osrm: "http://127.0.0.1:5000"
            case .valhalla: "http://127.0.0.1:8002"
            }
        }
    }

    package typealias Problem = SettingProblem

    /// Kind of the service.
    public let kind: Kind
    /// Base URL without a slash at its end, such as `http://127.0.0.1:5000`.
    public let address: String

    /// The service as written in the settings, such as `osrm+http://127.0.0.1:5000`.
    public var description: String { "\(kind.rawValue)+\(address)" }

    /// Length limit of the text in bytes.
    private static let maximumLength = 500

    /// Parses `osrm` or `valhalla`, which stand for the program at its default address, or one of these names followed
    /// by `+http://HOST[:PORT][/PATH]` or `+https://…`.
    package init(_ text: String) throws(Problem) {
        guard text.utf8.count <= Self.maximumLength else {
            throw .invalid("is longer than \(Self.maximumLength) bytes")
        }
        let parts = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        guard let kind = Kind(rawValue: parts[0].lowercased()) else {
            let isBare = text.lowercased().hasPrefix("http")
            throw .invalid(
                isBare
                    ? "has no kind of service: write osrm+\(text) or valhalla+\(text)"
                    : "must be osrm, valhalla, or one of them with an address, such as osrm+http://127.0.0.1:5000")
        }
        self.kind = kind
        address = parts.count == 1 ? kind.usualAddress : try Self.address(parts[1])
    }

    /// Whether a text is a valid profile name: 1 to 40 letters, digits, hyphens and underscores, so that it needs no
    /// escaping in a URL.
    public static func isProfile(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isLetterOrDigit || "-_".utf8.contains($0) }
    }

    private static func address(_ text: Substring) throws(Problem) -> String {
        let lowered = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: lowered.hasPrefix) else {
            throw .invalid("must have an address that begins with http:// or https://")
        }
        let rest = text.dropFirst(scheme.count)
        if rest.contains("@") { throw .invalid("must not hold a user name or a password") }
        if rest.contains(where: { $0 == "?" || $0 == "#" }) {
            throw .invalid("must not contain ? or #: the query is appended to it")
        }
        let authority = rest.prefix { $0 != "/" }
        try check(authority: authority)
        var path = rest.dropFirst(authority.count)
        guard path.utf8.allSatisfy({ $0.isLetterOrDigit || "-/._~%".utf8.contains($0) }) else {
            throw .invalid("has a path with other characters than letters, digits and - . _ ~ % /")
        }
        while path.last == "/" { path.removeLast() }
        return scheme + authority.lowercased() + path
    }

    private static func check(authority: Substring) throws(Problem) {
        do throws(HostAndPort.Problem) {
            _ = try HostAndPort(authority)
        } catch {
            throw .invalid(error.description)
        }
    }
}
