import Configuration
import Linux
import Model
import WaymarkClient
import WaymarkInterface

/// A source of measurements that is open as long as this object lives.
final class OpenSource {
    let client: Waymark.Client
    let name: SourceName
    private let kind: AidInterface.AidKind

    static func option(default text: String) -> Option<SourceName> {
        Option(
            "source", value: "NAME", help: "Name of the source (default: \(text))",
            expectation: "1 to 16 of the characters a-z, 0-9, -, _ and ., the first a letter"
        ) { SourceName($0) }
    }

    /// - Parameter latency: time by which the source's timestamps are late. Unit: seconds.
    init(
        _ name: SourceName, _ kind: AidInterface.AidKind, latency: Double? = nil, on client: Waymark.Client
    ) throws {
        self.client = client
        self.name = name
        self.kind = kind
        do throws(WaymarkError) {
            _ = try client.call(AidInterface.Open(source: name.text, kinds: [kind], latency: latency))
        } catch .service(.permissionDenied) {
            throw Self.refusal
        }
    }

    /// Error that names the group whose members may send measurements, and how the caller can join it.
    private static var refusal: CommandError {
        let group = Accounts.group(named: Configuration.Service.aidGroup)
        return .failed(
            AidRefusal.text(exists: group != nil, isMember: group.map(AccountSurvey.isRecorded) ?? false))
    }

    /// Returns the estimator's assessment of the measurements so far; nil if the daemon does not report it.
    func trust() throws(WaymarkError) -> AidInterface.AidTrust? {
        let sources = try client.call(AidInterface.List()).sources
        return sources.first { $0.source == name.text }?.trust.first { $0.kind == .known(kind) }
    }

    func offer(_ offer: some InterfaceMethod) throws(WaymarkError) { _ = try client.call(offer) }
}
