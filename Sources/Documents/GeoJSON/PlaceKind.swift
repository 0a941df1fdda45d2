import JSON

/// Kind of a place, from keys of OpenStreetMap.
struct PlaceKind {
    /// Keys in order of precedence: the kind is the value of the first key that a feature has.
    private static let keys: [StaticString] = [
        "amenity", "shop", "tourism", "historic", "leisure", "healthcare", "public_transport", "railway", "aeroway",
        "office", "craft", "emergency", "man_made", "natural", "place", "highway", "building", "category", "type",
    ]

    /// Kind of a feature without any of the keys.
    static let unknown = "place"
    /// Unit: bytes.
    static let longest = 60

    private var rank = PlaceKind.keys.count
    private var key: StaticString = ""
    private var value: JSONNode?

    /// Considers one property of a feature.
    mutating func consider(_ name: JSONNode, _ value: JSONNode) {
        guard value.kind == .text else { return }
        for (rank, key) in PlaceKind.keys.prefix(rank).enumerated() where name.equals(key) {
            // A building that is no more than one says nothing; it may still have another key.
            if key.description == "building" && value.equals("yes") { return }
            (self.rank, self.key, self.value) = (rank, key, value)
            return
        }
    }

    /// Kind from the keys; nil if the feature has none of them.
    var text: String? {
        guard let value, let bytes = value.bytes else { return nil }
        // That there is a shop, and not which.
        if value.equals("yes") { return key.description }
        let first = bytes.prefix { $0 != UInt8(ascii: ";") }
        return PlainText.line(UnsafeRawBufferPointer(rebasing: first), longest: Self.longest)
    }
}
