import Scene

/// Limits of a place, so that none is a burden to a client that receives it.
package enum PlaceLimits {
    /// Maximum length of an id. Unit: UTF-8 bytes, as in the limits below.
    package static let longestID = 256
    package static let longestName = 500
    package static let longestKind = 100
    /// Maximum length of all tags together, names and texts.
    package static let longestTags = 8192
    package static let mostTags = 100

    /// Flaw of a place from outside; nil for one that is good.
    package static func flaw(of place: Place) -> String? {
        if place.id.isEmpty { return "the id is empty" }
        if place.id.utf8.count > longestID { return "the id is longer than \(longestID) bytes" }
        if place.name.utf8.count > longestName { return "the name is longer than \(longestName) bytes" }
        if place.kind.utf8.count > longestKind { return "the kind is longer than \(longestKind) bytes" }
        if place.tags.count > mostTags { return "more than \(mostTags) tags" }
        let length = place.tags.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        return length > longestTags ? "the tags are longer than \(longestTags) bytes together" : nil
    }
}
