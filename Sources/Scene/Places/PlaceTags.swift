/// Further properties of a place by name, as a table or as text that is parsed only when needed.
struct PlaceTags: Hashable, Sendable {
    private enum Form: Sendable {
        case table([String: String])
        case text(String, read: @Sendable (String) -> [String: String])
    }

    private var form: Form

    init(_ table: [String: String]) { form = .table(table) }

    init(text: String, read: @escaping @Sendable (String) -> [String: String]) { form = .text(text, read: read) }

    var table: [String: String] {
        switch form {
        case .table(let table): table
        case .text(let text, let read): read(text)
        }
    }

    /// Equal texts are equal without being parsed.
    static func == (left: PlaceTags, right: PlaceTags) -> Bool {
        if case .text(let one, _) = left.form, case .text(let other, _) = right.form, one == other { return true }
        return left.table == right.table
    }

    /// Hashes nothing, so that texts are not parsed for it; identifiers distinguish places.
    func hash(into hasher: inout Hasher) {}
}
