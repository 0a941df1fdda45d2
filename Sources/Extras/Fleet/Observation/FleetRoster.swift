import Configuration
import JSON
import WaymarkInterface

/// The wearers whose messages a reader of a broker has received.
///
/// All input is untrusted, and so is the broker itself. Therefore the number of wearers and the size of messages are
/// bounded, and invalid messages are counted and change nothing.
package struct FleetRoster: Sendable {
    /// First part of the topics.
    package let root: String
    package private(set) var wearers: [String: ObservedWearer] = [:]
    /// Number of invalid messages, and the reason for the last refusal of a message.
    package private(set) var refused = 0
    package private(set) var lastRefusal: String?
    /// Number of messages from wearers beyond the maximum number of wearers.
    package private(set) var leftOut = 0
    package private(set) var taken = 0

    package static let maximumWearerCount = 5000
    /// Maximum size of a message. Unit: bytes.
    package static let maximumMessageSize = 64 << 10
    private static let limits = JSONLimits(depth: 8, values: 5000, text: maximumMessageSize)

    /// - Parameter root: a text that `FleetTopics.isRoot` accepts.
    package init(root: String) { self.root = root }

    /// Processes a message.
    ///
    /// - Parameters:
    ///   - length: length of a payload that was too long and is omitted; nil to use the payload's length. Unit: bytes.
    ///   - isRetained: whether the broker had retained the message from before the subscription.
    /// - Returns: identifier of the message's wearer; nil if the message was refused or left out.
    package mutating func take(
        topic: String, payload: [UInt8], length: Int? = nil, isRetained: Bool, now: UTCTime
    ) -> String? {
        guard let (identifier, kind) = FleetTopics.parse(topic, root: root) else {
            return refuse("a topic that is not of a wearer")
        }
        guard (length ?? payload.count) <= Self.maximumMessageSize else {
            return refuse("\(identifier)/\(kind.rawValue): longer than \(Self.maximumMessageSize) bytes")
        }
        if payload.isEmpty, kind == .state { return forgetState(of: identifier) }
        guard wearers[identifier] != nil || wearers.count < Self.maximumWearerCount else {
            leftOut += 1
            return nil
        }
        var wearer = wearers[identifier] ?? ObservedWearer(identifier: identifier)
        do throws(DocumentProblem) {
            try Self.take(JSONReader.read(payload, limits: Self.limits), kind, &wearer)
        } catch {
            return refuse("\(identifier)/\(kind.rawValue): \(error)")
        }
        if !isRetained { wearer.lastArrival = now }
        wearers[identifier] = wearer
        taken += 1
        return identifier
    }

    private static func take(
        _ node: JSONNode, _ kind: FleetTopics.Kind, _ wearer: inout ObservedWearer
    ) throws(DocumentProblem) {
        switch kind {
        case .pose: wearer.take(try ObservedPose(node))
        case .state: wearer.state = try ObservedState(node)
        case .event: wearer.take(try ObservedEvent(node))
        case .health: wearer.health = try ObservedHealth(node)
        }
    }

    /// Forgets the state of a wearer, because an empty message is MQTT's way to delete a retained one.
    private mutating func forgetState(of identifier: String) -> String? {
        guard var wearer = wearers[identifier] else { return nil }
        wearer.state = nil
        wearers[identifier] = wearer.lastArrival == nil ? nil : wearer
        return identifier
    }

    private mutating func refuse(_ reason: String) -> String? {
        refused += 1
        lastRefusal = reason
        return nil
    }
}
