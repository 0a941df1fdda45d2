import JSON

/// What kind of place a feature is, from the keys under which OpenStreetMap says so.
struct PlaceKind {
    /// The first of these that a feature has tells its kind; the value of the key is the kind.
    private static let keys: [StaticString] = [
        "amenity", "shop", "tourism", "historic", "leisure", "healthcare", "public_transport", "railway", "aeroway",
        "office", "craft", "emergency", "man_made", "natural", "place", "highway", "building", "category", "type",
    ]

    /// Of a feature that says nothing of itself.
    static let unknown = "place"
    /// Unit: bytes.
    static let longest = 60

    private var rank = PlaceKind.keys.count
    private var key: StaticString = ""
    private var value: JSONNode?

    /// Takes one property of a feature into account.
    mutating func consider(_ name: JSONNode, _ value: JSONNode) {
        guard value.kind == .text else { return }
        for (rank, key) in PlaceKind.keys.prefix(rank).enumerated() where name.equals(key) {
            // A building that is no more than one says nothing; it may still have another key.
            if key.description == "building" && value.equals("yes") { return }
            (self.rank, self.key, self.value) = (rank, key, value)
            return
        }
    }

    /// Nil where no key told.
    var text: String? {
        guard let value, let bytes = value.bytes else { return nil }
        // That there is a shop, and not which.
        if value.equals("yes") { return key.description }
        let first = bytes.prefix { $0 != UInt8(ascii: ";") }
        return PlainText.line(UnsafeRawBufferPointer(rebasing: first), longest: Self.longest)
    }
}
