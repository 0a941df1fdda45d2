/// File name of a picture. A display looks it up in its own picture folder.
///
/// The name consists of ASCII letters, digits, hyphens, underscores and dots, so that it cannot lead to another folder.
public struct PictureName: Hashable, Sendable {
    package let text: String
    /// Media type according to the name's extension, such as `image/jpeg`.
    public let mediaType: String

    /// Maximum length. Unit: bytes.
    private static let maximumLength = 100
    private static let mediaTypes = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "webp": "image/webp", "avif": "image/avif",
        "gif": "image/gif",
    ]

    /// Makes a name from a text; nil if the text is not a valid name.
    public init?(_ text: some StringProtocol) {
        let allowed = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "-_.".utf8.contains(byte)
            }
        }
        guard allowed, text.utf8.count <= Self.maximumLength, text.first != ".", let dot = text.lastIndex(of: "."),
            let type = Self.mediaTypes[text[text.index(after: dot)...].lowercased()]
        else { return nil }
        self.text = String(text)
        mediaType = type
    }
}
