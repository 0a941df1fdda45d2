import Documents
import Scene
import Synchronization

/// Searchable texts of a place besides its name: its other names, its categories and its address.
///
/// The search index is derived from these texts, so `PlaceSchema` has to rebuild it if their selection changes.
struct PlaceWords {
    /// Other names: those in other languages, the old, short and official ones, and the brand.
    private(set) var names: [String] = []
    /// Kind of the place, and the keys and values of the tags that describe it.
    private(set) var categories: [String]
    /// Street, house number, postcode, town and country, or the address as one text.
    private(set) var address: [String] = []

    /// Maximum searchable length of a text; the rest of a longer one is ignored. Unit: bytes.
    private static let maximumLength = 500

    init(kind: String, tags: [String: String]) {
        // In order, so that the words of a place are the same each time.
        self.init(kind: kind, sortedTags: tags.sorted { $0.key < $1.key })
    }

    init(kind: String, sortedTags tags: some Sequence<(key: String, value: String)>) {
        categories = [kind]
        for (key, value) in tags { take(key, value) }
    }

    /// All texts joined by newlines: names, categories, then the address.
    var text: String { (names + categories + address).joined(separator: "\n") }

    /// Whether tags in the format of the table's column may include another name of the place.
    static func mayHaveNames(_ tags: String) -> Bool {
        var tags = tags
        return tags.withUTF8 { bytes in
            bytes.indices.contains { index in
                // Each key in `nameKeys` contains "name" or "brand".
                switch bytes[index] {
                case UInt8(ascii: "n"): bytes[index...].starts(with: "name".utf8)
                case UInt8(ascii: "b"): bytes[index...].starts(with: "brand".utf8)
                default: false
                }
            }
        }
    }

    private mutating func take(_ key: String, _ value: String) {
        switch Self.use(of: key) {
        case .name: names.append(Self.start(value))
        case .category:
            categories.append(key)
            // The value "yes" only means that the key applies.
            if value != "yes" { categories.append(Self.start(value)) }
        case .address: address.append(Self.start(value))
        case .none: break
        }
    }

    /// Search role of a tag.
    private enum Use {
        case name, category, address, none

        init(_ key: String) {
            if categoryKeys.contains(key) {
                self = .category
            } else if nameKeys.contains(String(key.prefix { $0 != ":" })), key != "name" {
                self = .name
            } else {
                self = PlaceDetails.isPartOfAddress(key) ? .address : .none
            }
        }
    }

    private static func use(of key: String) -> Use {
        uses.withLock { uses in
            if let use = uses[key] { return use }
            let use = Use(key)
            if uses.count < maximumUseCount { uses[key] = use }
            return use
        }
    }

    /// Roles of the keys met so far, cached because an import meets the same few keys for each place.
    private static let uses = Mutex<[String: Use]>([:])
    private static let maximumUseCount = 1000

    private static func start(_ value: String) -> String {
        guard value.utf8.count > maximumLength else { return value }
        return String(decoding: value.utf8.prefix(maximumLength), as: UTF8.self)
    }

    /// OpenStreetMap keys whose values are kinds of places, cuisines or sports.
    private static let categoryKeys = Set(PlaceKind.keyTexts + ["cuisine", "sport"])
    private static let nameKeys: Set<String> = [
        "name", "alt_name", "old_name", "int_name", "loc_name", "nat_name", "reg_name", "short_name", "official_name",
        "sorting_name", "brand",
    ]
}

/// Beginning of a name as terms of the full-text index, so that names that begin with given words are found without
/// reading all that contain them. The terms are the first word and the first two words, each after a mark.
enum PlaceBeginning {
    /// Character for private use, which the tokenizer takes for a letter.
    static let mark: Unicode.Scalar = "\u{E000}"

    /// Returns both terms of a name, or the only one.
    static func text(_ name: [[UInt8]]) -> String {
        // As bytes, because an import takes several times as long to join strings.
        var bytes: [UInt8] = []
        append(name.prefix(1), to: &bytes)
        if name.count > 1 {
            bytes.append(UInt8(ascii: " "))
            append(name.prefix(2), to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the term for one or two words.
    static func term(_ words: ArraySlice<[UInt8]>) -> String {
        var bytes: [UInt8] = []
        append(words, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ words: ArraySlice<[UInt8]>, to bytes: inout [UInt8]) {
        for word in words {
            bytes.append(contentsOf: markBytes)
            bytes.append(contentsOf: word)
        }
    }

    private static let markBytes = Array(String(mark).utf8)
}
