import Scene

/// What a place may have at most, so that none is a burden to whoever is sent it.
package enum PlaceLimits {
    /// UTF-8 bytes.
    package static let longestID = 256
    package static let longestName = 500
    package static let longestKind = 100
    /// Of all tags together, names and texts.
    package static let longestTags = 8192
    package static let mostTags = 100

    /// What is wrong with a place from outside; nil for one that is good.
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
