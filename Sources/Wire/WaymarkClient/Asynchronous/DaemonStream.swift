import JSON
import Linux
import WaymarkInterface

/// Connection to the daemon for one call with `more`, or for successive calls.
package final class DaemonStream {
    /// A reply, valid until the next one, or the name of an error.
    package enum Answer {
        case reply(JSONNode)
        case error(String)
    }

    private var connection: DaemonConnection?
    private let reader = JSONReader()
    /// Whether the connection has ended or the owner has to replace it.
    package private(set) var hasEnded = false

    /// Maximum length of messages for which the reader's memory is reused. Unit: bytes.
    private static let usualLength = 16 * 1024

    /// Connects.
    ///
    /// - Parameters:
    ///   - answered: called with each answer; not after `close()`.
    ///   - ended: called when the daemon ends the connection, or sends a message that is not valid.
    package init(
        _ reactor: Reactor, socket: String, answered: @escaping (Answer) -> Void, ended: @escaping () -> Void
    ) throws(SystemError) {
        connection = try DaemonConnection(
            reactor, socket: socket,
            received: { [weak self] _, message in
                guard let self, !hasEnded else { return }
                guard let answer = read(message) else {
                    hasEnded = true
                    return ended()
                }
                answered(answer)
            },
            ended: { [weak self] _ in
                guard let self, !hasEnded else { return }
                hasEnded = true
                ended()
            })
    }

    package func call(_ method: some InterfaceMethod, more: Bool) {
        connection?.send(
            JSONWriter.object(capacity: 256) { json in
                json.member("method", type(of: method).name)
                json.member("parameters", method)
                if more { json.member("more", true) }
            })
    }

    /// Ignores further input and makes the owner replace this object. Handlers of answers use it, because they cannot
    /// close their own connection.
    package func abandon() { hasEnded = true }

    package func close() {
        hasEnded = true
        connection?.close()
        connection = nil
    }

    /// Reads an answer; nil if the message is invalid.
    private func read(_ message: ArraySlice<UInt8>) -> Answer? {
        // The memory for an unusually long message is not kept.
        let reader = message.count <= Self.usualLength ? reader : JSONReader()
        guard let node = try? reader.read(message) else { return nil }
        if let error = node["error"]?.string { return .error(error) }
        return node["parameters"].map { .reply($0) }
    }
}
