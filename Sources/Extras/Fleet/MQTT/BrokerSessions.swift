import Linux

/// Makes one connection after another, on a thread of its own.
final class BrokerSessions {
    private let access: BrokerAccess
    private let brokers: [BrokerAddress]
    private let link: BrokerLink
    private let stop: StopFlag
    private var broker: BrokerAddress
    private var client: BrokerClient?
    /// Time at which the broker accepted the connection, CLOCK_BOOTTIME; nil before. Unit: ns.
    private var acceptance: Int64?
    /// Whether the broker has answered the subscription.
    private var isAnswered = false
    /// Time of the broker's last acknowledgement, CLOCK_BOOTTIME. Unit: ns.
    private var lastSign: Int64 = 0
    /// Protocol violation or failure that ends the connection.
    private var offence: String?

    private var isConnected: Bool { acceptance != nil }
    /// Whether the broker has served for long enough that the next attempt may follow soon.
    private var hasLasted: Bool {
        acceptance.map { Double(BootClock.nanoseconds - $0) > ReconnectPause.maximum * 1e9 } ?? false
    }

    /// Time limit for reaching a broker. Unit: seconds.
    private static let reachTime = 5.0
    /// Time limit of a clean disconnect, and time without an acknowledgement after which no more are expected. Unit:
    /// ns.
    private static let (farewellTime, quietTime): (Int64, Int64) = (700_000_000, 150_000_000)
    /// Longest wait for the broker before the stop flag is checked. Unit: milliseconds.
    private static let turn: Int32 = 250
    /// Pause while the reader's event queue is full. Unit: seconds.
    private static let breath = 0.005

    init(_ access: BrokerAccess, brokers: [BrokerAddress], link: BrokerLink, stop: StopFlag) {
        self.access = access
        self.brokers = brokers
        self.link = link
        self.stop = stop
        broker = brokers[0]
    }

    /// Connects, and reconnects, until the stop flag is set.
    func run() {
        var pause = ReconnectPause()
        var random = SystemRandomNumberGenerator()
        var index = 0
        while !stop.isSet {
            broker = brokers[index % brokers.count]
            let reason = session()
            guard !stop.isSet else { return }
            link.add(.failed(broker, reason: reason))
            if hasLasted { pause.reset() }
            index += 1
            // Pauses only after all nodes of a cluster have been tried.
            if index % brokers.count == 0 || isConnected { stop.wait(seconds: pause.next(using: &random)) }
        }
    }

    /// Runs one connection until it ends; returns the reason.
    private func session() -> String {
        acceptance = nil
        isAnswered = false
        offence = nil
        do throws(BrokerClient.Problem) {
            try reach()
            let client = try BrokerClient(access, isEncrypted: broker.isEncrypted, receiver: self)
            self.client = client
            defer {
                link.end()
                self.client = nil
            }
            try client.connect(broker, keepAlive: access.keepAlive)
            return try follow(client)
        } catch {
            return error.description
        }
    }

    /// Makes a TCP connection with a time limit, because libmosquitto has none. It would wait minutes for a computer
    /// that is off instead of trying the next one.
    private func reach() throws(BrokerClient.Problem) {
        do throws(ConnectionError) {
            _ = try LineConnection(
                host: broker.host, port: broker.port, timeoutSeconds: Self.reachTime, capacity: 1, stop: stop)
        } catch {
            throw BrokerClient.Problem(description: error.description)
        }
    }

    private func follow(_ client: BrokerClient) throws(BrokerClient.Problem) -> String {
        let deadline = BootClock.nanoseconds + Int64(access.patience * 1e9)
        while !stop.isSet {
            try client.run(milliseconds: Self.turn)
            if let offence { return offence }
            if let missing = missingAnswer, BootClock.nanoseconds > deadline { return missing }
            if link.isLeft { return "the broker does not acknowledge what it is sent" }
            while link.isFull, !stop.isSet { stop.wait(seconds: Self.breath) }
        }
        takeLeave(of: client)
        return ""
    }

    /// Description of the broker's answer that is missing; nil once the broker serves this client. Answers have a time
    /// limit, because a node of a cluster that has just lost its leader may not answer a subscription, and a reader
    /// would then wait for messages forever.
    private var missingAnswer: String? {
        if !isConnected { return "the broker does not accept the connection" }
        return access.subscription == nil || isAnswered ? nil : "the broker does not answer the subscription"
    }

    /// Sends pending messages and the disconnect, so that the broker does not publish the will.
    private func takeLeave(of client: BrokerClient) {
        let deadline = BootClock.nanoseconds + Self.farewellTime
        // Closing a connection with unread acknowledgements resets it, and the broker may not receive the disconnect.
        lastSign = BootClock.nanoseconds
        while BootClock.nanoseconds < min(deadline, lastSign + Self.quietTime) {
            guard (try? client.run(milliseconds: 20)) != nil else { return }
        }
        client.disconnect()
        // `run` throws as soon as the connection has ended.
        while BootClock.nanoseconds < deadline, (try? client.run(milliseconds: 50)) != nil {}
    }

    // MARK: - Messages of the broker

    func connected() {
        guard let client else { return }
        guard !isConnected else { return offence = "the broker accepts the connection twice" }
        acceptance = BootClock.nanoseconds
        if let filter = access.subscription, !client.subscribe(filter) { offence = "the subscription cannot be sent" }
        link.open(client, broker)
    }

    func acknowledged(_ message: Int32) {
        lastSign = BootClock.nanoseconds
        link.add(.acknowledged(message))
    }

    func received(_ message: BrokerMessage) {
        // A message without a subscription is a protocol violation, which ends the connection.
        if access.subscription != nil { link.add(.received(message)) }
    }

    func subscribed(isGranted: Bool) {
        isAnswered = true
        link.add(.subscribed(isGranted: isGranted))
    }
}
