import JSON
import Scene
import WaymarkInterface

/// The reply `{"scene": …}`, which is written once for all subscribers of a view that have received the same updates.
/// Only the revision differs between the subscribers.
package struct SharedSceneMessage: Sendable {
    /// The reply, containing the revision of the update.
    private let text: [UInt8]
    /// Offsets in the text at which a revision begins.
    private let places: [Int]
    /// Number of digits of a revision in the text.
    private let width: Int
    private let revision: UInt64

    /// - Parameter json: writer whose memory is used. It is empty afterwards.
    package init(_ update: SceneUpdate, in language: Language, writer json: inout JSONWriter) {
        json.removeAll()
        SceneInterface.Subscribe.Reply(scene: update.message(in: language)).write(into: &json)
        places = json.marks
        text = json.bytes
        revision = update.revision
        width = Self.digits(update.revision).count
        json.removeAll()
    }

    /// The reply with a subscriber's next revision. The bytes are the same as if it had been written with that
    /// revision.
    package func bytes(revision: UInt64) -> [UInt8] {
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
