import WaymarkClient

/// Places and maneuvers that lie ahead, in words.
public enum AheadText {
    /// An arrow for where it lies, its distance, what it is.
    public static func line(_ item: Waymark.Item) -> String {
        let arrow = item.turn.map(Words.arrow) ?? Words.compassPoint(item.bearing)
        let along = item.alongRoute.map { ", \(Words.distance($0)) along the route" } ?? ""
        let name = item.name.isEmpty ? "\(item.kind)" : item.name
        return "\(arrow.left(2)) \(Words.distance(item.distance).right(8))  \(Words.line(name)) "
            + "(\(Words.line(item.kind))\(along))"
    }

    /// A table of all that was found.
    public static func table(_ items: [Waymark.Item]) -> [String] {
        guard !items.isEmpty else { return ["Nothing ahead."] }
        var table = Table([
            ("", .left), ("distance", .right), ("along route", .right), ("bearing", .right), ("turn", .right),
            ("kind", .left), ("name", .left),
        ])
        for item in items {
            table.append([
                item.turn.map(Words.arrow) ?? "", Words.distance(item.distance),
                item.alongRoute.map(Words.distance) ?? Words.unknown, Words.bearing(item.bearing, digits: 0),
                item.turn.map { "\($0.signed(0))°" } ?? Words.unknown, Words.line(item.kind), Words.line(item.name),
            ])
        }
        return table.lines
    }
}
