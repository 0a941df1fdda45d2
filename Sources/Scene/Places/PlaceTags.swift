/// What the source of a place says of it besides, by name: as a table, or as text that is read only by who asks for it.
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

    /// One text says one thing.
    static func == (left: PlaceTags, right: PlaceTags) -> Bool {
        if case .text(let one, _) = left.form, case .text(let other, _) = right.form, one == other { return true }
        return left.table == right.table
    }

    /// Places differ by their ids: what is not read for equality need not be read for this.
    func hash(into hasher: inout Hasher) {}
}
