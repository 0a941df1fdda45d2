import Configuration
import JSON
import WaymarkInterface

/// The wearers that a reader of a broker has heard of.
///
/// Everything that it takes is from outside, and the broker itself need not be what it seems: the number of wearers and
/// the size of messages are bounded, and what cannot be understood is counted and changes nothing.
package struct FleetRoster: Sendable {
    /// First part of the topics.
    package let root: String
    package private(set) var wearers: [String: ObservedWearer] = [:]
    /// Number of messages that were no messages of a wearer, and why the last one was none.
    package private(set) var refused = 0
    package private(set) var lastRefusal: String?
    /// Number of messages of wearers beyond the limit.
    package private(set) var leftOut = 0
    /// Number of messages that were taken.
    package private(set) var taken = 0

    /// Maximum number of wearers.
    package static let mostWearers = 5000
    /// Maximum size of a message. Unit: bytes.
    package static let longestMessage = 64 << 10
    private static let limits = JSONLimits(depth: 8, values: 5000, text: longestMessage)

    /// - Parameter root: a text that `FleetTopics.isRoot` accepts.
    package init(root: String) { self.root = root }

    /// Takes a message.
    ///
    /// - Parameters:
    ///   - length: length of a payload that is too long and left out; nil for that of the payload. Unit: bytes.
    ///   - isRetained: whether the broker had kept it from before the subscription.
    ///   - now: by the reader's clock.
    /// - Returns: identifier of the wearer that it is of; nil if it was refused.
    package mutating func take(
        topic: String, payload: [UInt8], length: Int? = nil, isRetained: Bool, now: UTCTime
    ) -> String? {
        guard let (identifier, kind) = FleetTopics.parse(topic, root: root) else {
            return refuse("a topic that is not of a wearer")
        }
        guard (length ?? payload.count) <= Self.longestMessage else {
            return refuse("\(identifier)/\(kind.rawValue): longer than \(Self.longestMessage) bytes")
        }
        if payload.isEmpty, kind == .state { return forgetState(of: identifier) }
        guard wearers[identifier] != nil || wearers.count < Self.mostWearers else {
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

    /// An empty message is how MQTT removes one that the broker keeps.
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
