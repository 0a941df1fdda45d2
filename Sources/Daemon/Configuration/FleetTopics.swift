/// Topics of one wearer at a broker: `waymark/<id>/pose` and the like.
package struct FleetTopics: Hashable, Sendable {
    /// Last part of one of Waymark's own topics.
    package enum Kind: String, CaseIterable, Sendable {
        case pose
        /// State, which the broker retains for later subscribers.
        case state
        /// Events: arrivals, proximity, leaving the route, corrections.
        case event
        /// Health of the daemon, its sensors and the queue.
        case health
    }

    /// First part of the topics, `waymark` by default.
    package let root: String
    package let identifier: String

    /// - Parameters:
    ///   - root: a text that `isRoot` accepts.
    ///   - identifier: a text that `isIdentifier` accepts.
    package init(root: String, identifier: String) {
        self.root = root
        self.identifier = identifier
    }

    package var pose: String { topic(.pose) }
    package var state: String { topic(.state) }
    package var event: String { topic(.event) }
    package var health: String { topic(.health) }
    /// Topic of locations for OwnTracks: `owntracks/<user>/<device>`, as the OwnTracks Booklet specifies.
    package var ownTracks: String { "owntracks/\(root.replacing("/", with: "-"))/\(identifier)" }

    /// Returns the topic filter that matches every topic of every wearer.
    package static func all(root: String) -> String { "\(root)/+/+" }

    /// Returns the wearer and kind of a topic; nil if it is not one of Waymark's own topics.
    package static func parse(_ topic: String, root: String) -> (identifier: String, kind: Kind)? {
        guard topic.hasPrefix(root + "/") else { return nil }
        let parts = topic.dropFirst(root.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, isIdentifier(parts[0]), let kind = Kind(rawValue: String(parts[1])) else { return nil }
        return (String(parts[0]), kind)
    }

    private func topic(_ kind: Kind) -> String { "\(root)/\(identifier)/\(kind.rawValue)" }

    /// Whether a text may identify a wearer: 1 to 64 letters, digits, hyphens and underscores. This excludes MQTT's
    /// wildcards and separators, and the full stop, which separates the parts of a NATS subject.
    package static func isIdentifier(_ text: some StringProtocol) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isLetterOrDigit || "-_".utf8.contains($0) }
    }

    /// Whether a text may be the first part of topics: identifiers separated by slashes, at most 100 bytes in all.
    package static func isRoot(_ text: String) -> Bool {
        text.utf8.count <= 100
            && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { isIdentifier($0) }
    }
}
