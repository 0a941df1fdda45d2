import CMosquitto
import Linux

/// One connection to a broker, through libmosquitto. Its blocking functions are for the thread that owns it; `publish`
/// and `disconnect` are safe for any thread.
///
/// The class is Sendable because libmosquitto guards its client with its own locks, and the rest does not change.
final class BrokerClient: @unchecked Sendable {
    /// Reason why the connection failed or ended.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private let client: OpaquePointer

    /// - Parameter receiver: receives the broker's messages, on the thread that runs the connection; it has to live as
    ///   long as the client.
    init(_ access: BrokerAccess, isEncrypted: Bool, receiver: BrokerSessions) throws(Problem) {
        let context = Unmanaged.passUnretained(receiver).toOpaque()
        client = try Self.reportingProblem { problem, size in
            Self.make(access, isEncrypted: isEncrypted, context: context, problem, size)
        }
    }

    deinit { cmosquitto_free(client) }

    /// Connects; may block for name lookup, TCP and TLS.
    func connect(_ broker: BrokerAddress, keepAlive: Int32) throws(Problem) {
        _ = try Self.reportingProblem { problem, size in
            cmosquitto_connect(client, broker.host, Int32(broker.port), keepAlive, problem, size) ? true : nil
        }
    }

    /// Waits for the broker, at most `milliseconds`, and handles its messages.
    func run(milliseconds: Int32) throws(Problem) {
        _ = try Self.reportingProblem { problem, size in
            cmosquitto_run(client, milliseconds, problem, size) ? true : nil
        }
    }

    /// Sends a message of QoS 1; returns the number with which the broker will acknowledge it, nil if it could not be
    /// sent.
    func publish(_ topic: String, _ payload: [UInt8], isRetained: Bool) -> Int32? {
        let number = payload.withUnsafeBufferPointer {
            cmosquitto_publish(client, topic, $0.baseAddress, $0.count, isRetained)
        }
        return number < 0 ? nil : number
    }

    func subscribe(_ filter: String) -> Bool { cmosquitto_subscribe(client, filter) }

    func disconnect() { cmosquitto_disconnect(client) }

    // MARK: - libmosquitto

    private static func reportingProblem<Value>(
        _ body: (UnsafeMutablePointer<CChar>, Int) -> Value?
    ) throws(Problem) -> Value {
        let (value, problem) = withProblemText(body)
        guard let value else { throw Problem(description: problem) }
        return value
    }

    private static func make(
        _ access: BrokerAccess, isEncrypted: Bool, context: UnsafeMutableRawPointer,
        _ problem: UnsafeMutablePointer<CChar>, _ size: Int
    ) -> OpaquePointer? {
        var handlers = handlers(context)
        let texts = [
            access.clientIdentifier, access.username, access.password, access.authorityFile, access.certificateFile,
            access.keyFile, access.will?.topic,
        ]
        return withCStrings(texts) { texts in
            (access.will?.payload ?? []).withUnsafeBufferPointer { will in
                var options = cmosquitto_options()
                options.client_id = texts[0]
                options.is_clean = !access.keepsSession
                options.username = texts[1]
                options.password = texts[2]
                options.is_encrypted = isEncrypted
                options.authority_file = texts[3]
                options.certificate_file = texts[4]
                options.key_file = texts[5]
                options.will_topic = texts[6]
                options.will = will.baseAddress
                options.will_length = will.count
                options.window = Int32(access.window)
                options.is_reader = access.subscription != nil
                return cmosquitto_new(&options, &handlers, problem, size)
            }
        }
    }

    private static func handlers(_ context: UnsafeMutableRawPointer) -> cmosquitto_handlers {
        cmosquitto_handlers(
            context: context,
            connected: { receiver($0).connected() },
            acknowledged: { receiver($0).acknowledged($1) },
            received: { context, topic, payload, length, isRetained in
                // A broker may send 256 MB; payloads above the limit are not copied.
                let isUsable = payload != nil && length <= BrokerMessage.maximumSize
                let bytes = UnsafeBufferPointer(start: payload, count: isUsable ? length : 0)
                receiver(context).received(
                    BrokerMessage(
                        topic: topic.map { String(cString: $0) } ?? "", payload: Array(bytes), length: length,
                        isRetained: isRetained))
            },
            subscribed: { receiver($0).subscribed(isGranted: $1) })
    }
}

/// Defined outside the class, because a C function pointer must capture nothing.
private func receiver(_ context: UnsafeMutableRawPointer?) -> BrokerSessions {
    Unmanaged.fromOpaque(context!).takeUnretainedValue()
}

/// A message that a broker has sent.
package struct BrokerMessage: Hashable, Sendable {
    /// Maximum length of a payload that is passed on. Unit: bytes.
    package static let maximumSize = 1 << 20

    package var topic: String
    /// Payload; empty if it exceeds `maximumSize`.
    package var payload: [UInt8]
    /// Length of the payload as sent. Unit: bytes.
    package var length: Int
    /// Whether the broker had retained it from before the subscription.
    package var isRetained: Bool
}
