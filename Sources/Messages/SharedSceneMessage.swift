import JSON
import Scene

/// The reply `{"scene": …}`, written once for all readers of a view who have been told the same: it differs for them only
/// in the revision, which is each reader's own.
public struct SharedSceneMessage: Sendable {
    /// What stands before, between and behind the revisions.
    private let text: [UInt8]
    /// Where the revisions begin, and how long they are written.
    private let places: [Int]
    private let width: Int
    private let revision: UInt64

    /// - Parameter json: what to write with; it is left empty.
    public init(_ update: SceneUpdate, writer json: inout JSONWriter) {
        json.removeAll()
        json.beginObject()
        json.key("scene")
        places = SceneMessage.write(update, into: &json)
        json.endObject()
        text = json.bytes
        revision = update.revision
        width = Self.digits(update.revision).count
        json.removeAll()
    }

    /// For the reader whose next revision this is: as if it had been written with it.
    public func bytes(revision: UInt64) -> [UInt8] {
        guard revision != self.revision else { return text }
        let digits = Self.digits(revision)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count + places.count * max(0, digits.count - width))
        var copied = 0
        for place in places {
            bytes += text[copied..<place]
            bytes += digits
            copied = place + width
        }
        return bytes + text[copied...]
    }

    private static func digits(_ revision: UInt64) -> [UInt8] { Array(String(Int64(clamping: revision)).utf8) }
}
