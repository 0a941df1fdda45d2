import Scene

/// OpenStreetMap tags that mark an element as a building and give its height.
///
/// Source: OpenStreetMap, "Key:building", "Key:height", "Key:building:levels" and "Map features/Units".
struct BuildingTags: OSMTags {
    enum Key: String, OSMKey {
        case building, height, type, location
        case levels = "building:levels"
        case roofLevels = "roof:levels"
    }

    /// Maximum length of a tag name; a tag with a longer name is ignored. Unit: bytes.
    static let maximumNameLength = 16
    /// Height of a storey. Unit: metres.
    private static let storey = 3.0
    private static let metresPerFoot = 0.3048

    var values: [Key: String] = [:]

    /// Whether the element is a building above the ground.
    var isBuilding: Bool {
        guard let kind = values[.building], !kind.isEmpty, kind != "no" else { return false }
        return values[.location] != "underground"
    }

    /// Height of the highest part above the ground, or else 3 m per level; nil if the tags give neither. Unit: metres.
    var height: Double? { values[.height].flatMap(Self.metres) ?? heightOfLevels }

    private var heightOfLevels: Double? {
        let counts = [values[.levels], values[.roofLevels]].map { $0.flatMap { PlaceDraft.number($0) } }
        guard let levels = counts[0] ?? counts[1], levels >= 0 else { return nil }
        return Self.storey * (levels + (counts[0] == nil ? 0 : max(0, counts[1] ?? 0)))
    }

    /// Length such as `12`, `12.5 m`, `40 ft` or `7'4"`; nil for any other text.
    static func metres(_ text: String) -> Double? {
        let words = text.split(separator: "'", omittingEmptySubsequences: false)
        if words.count == 2 {
            let inches = words[1].hasSuffix("\"") ? words[1].dropLast() : words[1]
            guard let feet = number(words[0]), let rest = inches.isEmpty ? 0 : number(inches) else { return nil }
            return (feet + rest / 12) * metresPerFoot
        }
        if text.hasSuffix("ft") { return number(text.dropLast(2)).map { $0 * metresPerFoot } }
        return number(text.hasSuffix("m") ? text.dropLast() : text[...])
    }

    private static func number(_ text: Substring) -> Double? { PlaceDraft.number(String(text)) }
}
