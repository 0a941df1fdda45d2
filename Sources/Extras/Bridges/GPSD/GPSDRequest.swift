import JSON

/// Request of a client in gpsd's protocol, such as `?WATCH={"enable":true,"json":true}`.
///
/// Source: gpsd_json(5), "Core Protocol Commands".
package enum GPSDRequest: Hashable, Sendable {
    case version
    case devices
    /// `?DEVICE`. Settings of the receiver in the request are ignored, because they cannot be changed here.
    case device
    case poll
    /// `?WATCH`; nil requests the current policy.
    case watch(Watch?)

    /// Reports that a client wants.
    package struct Watch: Hashable, Sendable {
        /// Whether any reports are sent.
        package var isEnabled = false
        package var json = false
        package var nmea = false

        package init() {}
    }

    /// Reason for the refusal of a request, for the client.
    package struct Refusal: Error, Hashable, Sendable {
        package let message: String
    }

    /// Limits of a client's JSON.
    private static let limits = JSONLimits(depth: 4, values: 64, text: 4096)
    /// Maximum number of bytes of a request that a refusal quotes.
    private static let quoted = 40

    /// Parses a request without the semicolon at its end; nil for an empty one.
    package static func read(_ bytes: [UInt8]) throws(Refusal) -> GPSDRequest? {
        let text = bytes.trimmed
        guard let first = text.first else { return nil }
        guard first == UInt8(ascii: "?") else { throw unrecognized(text) }
        let end = text.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
        let name = String(decoding: text[text.index(after: text.startIndex)..<end], as: UTF8.self)
        let argument = end < text.endIndex ? text[text.index(after: end)...] : nil
        switch name {
        case "VERSION": return .version
        case "DEVICES": return .devices
        case "DEVICE": return .device
        case "POLL": return .poll
        case "WATCH": return .watch(try argument.map { (json) throws(Refusal) in try watch(json) })
        default: throw unrecognized(text)
        }
    }

    private static func watch(_ json: ArraySlice<UInt8>) throws(Refusal) -> Watch {
        let node: JSONNode
        do throws(DocumentProblem) {
            node = try JSONReader.read(json, limits: limits)
        } catch {
            throw Refusal(message: "Invalid WATCH: \(error)")
        }
        guard node.kind == .object else { throw Refusal(message: "Invalid WATCH: not an object") }
        if let device = node["device"]?.string, device != GPSDReportWriter.device {
            throw Refusal(message: "No such device: the only one is '\(GPSDReportWriter.device)'")
        }
        var watch = Watch()
        watch.isEnabled = node["enable"]?.bool ?? true
        watch.json = node["json"]?.bool ?? false
        watch.nmea = node["nmea"]?.bool ?? false
        // A client that names no format gets JSON.
        if watch.isEnabled, !watch.json, !watch.nmea { watch.json = true }
        return watch
    }

    private static func unrecognized(_ text: ArraySlice<UInt8>) -> Refusal {
        let shown = text.prefix(quoted).map { (32..<127).contains($0) ? $0 : UInt8(ascii: ".") }
        return Refusal(message: "Unrecognized request '\(String(decoding: shown, as: UTF8.self))'")
    }
}

extension [UInt8] {
    /// The bytes without white space at both ends.
    fileprivate var trimmed: ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == 32 || (9...13).contains(byte) }
        let start = self[...].drop(while: isBlank)
        let end = start.lastIndex { !isBlank($0) }
        return end.map { start[...$0] } ?? []
    }
}
