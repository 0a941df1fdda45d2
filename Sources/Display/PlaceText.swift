import WaymarkClient

/// Places and filters, in words.
public enum PlaceText {
    /// A table of what was found.
    public static func table(_ places: [Place]) -> [String] {
        guard !places.isEmpty else { return ["No such place is known."] }
        var table = Table([
            ("", .left), ("distance", .right), ("bearing", .right), ("kind", .left), ("name", .left), ("id", .left),
        ])
        for place in places {
            table.append([
                place.favorite ? "★" : "", place.distance.map(Words.distance) ?? Words.unknown,
                place.bearing.map { Words.bearing($0, digits: 0) } ?? Words.unknown, Words.line(place.kind),
                Words.line(place.name), Words.line(place.id),
            ])
        }
        return table.lines
    }

    /// A filter in one line.
    public static func line(_ filter: PlaceFilter) -> String {
        let kinds = filter.kinds.isEmpty ? "all kinds" : filter.kinds.map(Words.line).joined(separator: ", ")
        return "\(kinds) within \(Words.distance(filter.radius))\(filter.favoritesOnly ? ", favourites only" : "")"
    }

    /// A table of saved filters.
    public static func table(_ filters: [PlaceFilter]) -> [String] {
        guard !filters.isEmpty else { return ["No filter is saved: `waymark places filter --save NAME` saves one."] }
        var table = Table([("name", .left), ("shows", .left)])
        for filter in filters { table.append([Words.line(filter.name ?? ""), line(filter)]) }
        return table.lines
    }

    /// What came of an import.
    public static func line(_ result: PlaceImport) -> String {
        let removed = result.removed > 0 ? ", \(result.removed) removed" : ""
        let flawed = result.flawed > 0 ? ", \(result.flawed) left out" : ""
        return "\(result.imported) places imported, \(result.added) of them new\(removed)\(flawed)"
    }

    /// How far an import has come.
    ///
    /// - Parameter size: of the document, bytes; nil while not known.
    public static func progress(_ result: PlaceImport, size: Int?) -> String {
        let share = size.map { $0 > 0 ? ", \(min(100, result.bytes * 100 / $0)) %" : "" } ?? ""
        return "\(result.imported) places, \(Words.size(result.bytes))\(share)"
    }
}
