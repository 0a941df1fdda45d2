import Documents
import JSON
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

    /// - Parameter tags: tags in the format of the table's column, one JSON object.
    init(kind: String, tags: String) {
        categories = [kind]
        guard tags != "{}", let members = try? JSONReader.read(Array(tags.utf8)).object() else { return }
        for (key, value) in members {
            if let key = key.string, let value = value.string { take(key, value) }
        }
    }

    /// All texts joined by newlines: names, categories, then the address.
    var text: String { (names + categories + address).joined(separator: "\n") }

    /// Returns the text for a row. The last result is cached, because the table of words and the index each request it
    /// once.
    static func text(kind: String, tags: String) -> String {
        last.withLock { last in
            if last.kind != kind || last.tags != tags { last = (kind, tags, PlaceWords(kind: kind, tags: tags).text) }
            return last.text
        }
    }

    private static let last = Mutex((kind: "", tags: "", text: ""))

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
