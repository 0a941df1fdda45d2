import Web

/// A client, with its subscriptions and the messages that it has yet to receive.
final class FoxgloveSession {
    private let socket: WebSocket
    private var subscriptions: [FoxgloveChannel: UInt32] = [:]
    /// Messages that are sent when the client has read earlier ones.
    private var owed: Set<FoxgloveLasting> = []
    /// The last time that was sent to the client. Unit: ns.
    private var sentTime: UInt64?
    /// Whether the client has been informed that the daemon is lost.
    private var knowsOfLoss = false

    /// Maximum number of refusals in one request that are reported individually.
    private static let maximumRefusalCount = 8
    /// Size of unread messages above which refusals are dropped. Unit: bytes.
    private static let maximumUnreadSize = 256 * 1024
    /// Size of the messages queued in this program above which no further ones are sent. Unit: bytes.
    private static let maximumQueuedSize = 16 * 1024
    /// Identifier of the status message about the daemon, so that a later message replaces an earlier one.
    private static let daemonStatus = "daemon"

    init(_ socket: WebSocket) { self.socket = socket }

    /// Sends the first messages of a connection.
    func begin(serverInfo: [UInt8], advertise: [UInt8]) {
        socket.send(.text(utf8: serverInfo))
        socket.send(.text(utf8: advertise))
    }

    /// Data from the daemon that the client's channels need.
    var needs: DaemonNeeds { subscriptions.keys.reduce(into: []) { $0.formUnion($1.needs) } }

    /// Whether the client has subscribed to the channel.
    func wants(_ channel: FoxgloveChannel) -> Bool { subscriptions[channel] != nil }

    // MARK: - Requests

    /// Handles a request. If it cannot be fulfilled, it is refused with a status message.
    func handle(_ message: WebSocketMessage) {
        do throws(FoxgloveRequest.Refusal) {
            let request =
                try message.isBinary
                ? FoxgloveRequest(binary: message.bytes) : FoxgloveRequest(text: message.bytes)
            let refusals =
                switch request {
                case .subscribe(let wanted): wanted.compactMap(subscribe)
                case .unsubscribe(let numbers): numbers.compactMap(unsubscribe)
                }
            for refusal in refusals.prefix(Self.maximumRefusalCount) { refuse(refusal) }
            let others = refusals.count - Self.maximumRefusalCount
            if others > 0 { refuse("\(others) other parts of this request were refused, too") }
        } catch {
            refuse(error.description)
        }
    }

    private func refuse(_ reason: String) {
        guard socket.queuedBytes < Self.maximumUnreadSize else { return }
        socket.send(.text(utf8: FoxgloveProtocol.status(.error, reason)))
    }

    /// Subscribes to a channel, or returns the reason for a refusal.
    private func subscribe(_ wanted: FoxgloveRequest.Subscription) -> String? {
        guard let channel = FoxgloveChannel(rawValue: wanted.channel) else {
            return "subscription \(wanted.identifier) refused: there is no channel \(wanted.channel); use an "
                + "advertised one"
        }
        guard !subscriptions.values.contains(wanted.identifier) else {
            return "subscription \(wanted.identifier) refused: the id is in use; choose another one"
        }
        guard subscriptions[channel] == nil else {
            return "subscription \(wanted.identifier) refused: this client has subscribed to \(channel.topic); "
                + "unsubscribe first"
        }
        subscriptions[channel] = wanted.identifier
        owed.formUnion(FoxgloveLasting.allCases.filter { $0.channel == channel })
        return nil
    }

    private func unsubscribe(_ identifier: UInt32) -> String? {
        guard let channel = subscriptions.first(where: { $0.value == identifier })?.key else {
            return "unsubscription refused: there is no subscription \(identifier)"
        }
        subscriptions[channel] = nil
        owed.subtract(FoxgloveLasting.allCases.filter { $0.channel == channel })
        return nil
    }

    // MARK: - Messages

    /// Sends new messages, and those that are owed. If the client reads too slowly, it gets none. Later messages of a
    /// stream then replace earlier ones, while lasting messages stay owed.
    ///
    /// - Parameters:
    ///   - now: time of the server's clock. Unit: ns.
    ///   - newest: makes the newest message of a kind; nil while there is none.
    func take(_ messages: [FoxgloveOutput], now: UInt64, newest: (FoxgloveLasting) -> FoxgloveOutput?) {
        let mine = messages.filter { subscriptions[$0.channel] != nil }
        guard !mine.isEmpty || !owed.isEmpty else { return }
        guard socket.queuedBytes <= Self.maximumQueuedSize else {
            owed.formUnion(mine.compactMap(\.lasting))
            if !owed.isEmpty { socket.notifyWhenDrained() }
            return
        }
        let due = owed.compactMap { newest($0) }
        // The newest message of an owed kind already includes any change that has just arrived.
        let others = mine.filter { message in message.lasting.map { !owed.contains($0) } ?? true }
        owed.subtract(due.compactMap(\.lasting))
        guard !due.isEmpty || !others.isEmpty else { return }
        if now > 0, sentTime != now {
            sentTime = now
            socket.send(.binary(FoxgloveProtocol.time(now)))
        }
        for message in due + others where !send(message) {
            // The queue is full, so that the message is owed until there is space.
            if let lasting = message.lasting { owed.insert(lasting) }
        }
        if !owed.isEmpty, socket.queuedBytes > 0 { socket.notifyWhenDrained() }
    }

    private func send(_ message: FoxgloveOutput) -> Bool {
        guard let subscription = subscriptions[message.channel] else { return true }
        return socket.send(
            .binary(
                FoxgloveProtocol.messageData(
                    subscription: subscription, time: message.time, payload: message.payload)))
    }

    /// Informs the user once when the daemon stops or resumes answering.
    func report(isLost: Bool, _ text: String) {
        guard isLost != knowsOfLoss else { return }
        knowsOfLoss = isLost
        socket.send(
            .text(
                utf8: FoxgloveProtocol.status(isLost ? .warning : .info, text, identifier: Self.daemonStatus)))
    }
}
