import JSON

/// Request of a client in Foxglove's protocol.
///
/// Source: Foxglove WebSocket protocol v1, docs/spec.md of github.com/foxglove/ws-protocol.
package enum FoxgloveRequest: Hashable, Sendable {
    /// A client's subscription to a channel.
    package struct Subscription: Hashable, Sendable {
        /// Number that the client has chosen. Messages of the subscription contain it.
        package let identifier: UInt32
        package let channel: UInt32

        package init(identifier: UInt32, channel: UInt32) {
            self.identifier = identifier
            self.channel = channel
        }
    }

    /// Subscribes to these channels, from the next message on.
    case subscribe([Subscription])
    case unsubscribe([UInt32])

    /// Reason why a request is refused. The client receives it as a status message.
    package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    package static let maximumSubscriptionCount = 256

    /// Limits far above what clients send, but so low that a request takes little memory.
    private static let limits = JSONLimits(depth: 8, values: 4096, text: 16 * 1024)

    /// Maximum length of an operation's name in a refusal. Unit: Unicode scalars.
    private static let maximumNameLength = 40

    /// Parses a text message of a client.
    package init(text: [UInt8]) throws(Refusal) {
        do throws(DocumentProblem) {
            let message = try JSONReader.read(text, limits: Self.limits)
            let operation = try message.member("op").text()
            switch operation {
            case "subscribe":
                self = .subscribe(try Self.list(message, "subscriptions", Self.subscription))
            case "unsubscribe":
                self = .unsubscribe(try Self.list(message, "subscriptionIds", Self.number))
            default:
                let name = String(String.UnicodeScalarView(operation.unicodeScalars.prefix(Self.maximumNameLength)))
                throw DocumentProblem(
                    path: "$.op",
                    message: "'\(name)' is not supported: this server only sends; use subscribe and unsubscribe")
            }
        } catch {
            throw Refusal(description: "request refused: \(error)")
        }
    }

    /// Refuses a binary message, because publishing and services are not advertised.
    package init(binary: [UInt8]) throws(Refusal) {
        throw Refusal(
            description: "request refused: this server takes no messages and calls of clients; use subscribe and "
                + "unsubscribe")
    }

    private static func list<Element>(
        _ message: JSONNode, _ name: StaticString, _ read: (JSONNode) throws(DocumentProblem) -> Element
    ) throws(DocumentProblem) -> [Element] {
        let array = try message.member(name)
        guard array.kind != .array || array.count <= maximumSubscriptionCount else {
            throw array.problem("more than \(maximumSubscriptionCount) elements in one request")
        }
        var elements: [Element] = []
        for node in try array.array() { elements.append(try read(node)) }
        return elements
    }

    private static func subscription(_ node: JSONNode) throws(DocumentProblem) -> Subscription {
        Subscription(identifier: try number(node.member("id")), channel: try number(node.member("channelId")))
    }

    private static func number(_ node: JSONNode) throws(DocumentProblem) -> UInt32 {
        guard let number = UInt32(exactly: try node.integer()) else {
            throw node.problem("a whole number from 0 to \(UInt32.max) is needed")
        }
        return number
    }
}
