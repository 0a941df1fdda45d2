extension Matrix: Hashable {
    @inlinable
    public static func == (a: Self, b: Self) -> Bool {
        for i in 0..<Rows {
            for j in 0..<Columns where a.rows[i][j] != b.rows[i][j] { return false }
        }
        return true
    }

    public func hash(into hasher: inout Hasher) {
        for i in 0..<Rows {
            for j in 0..<Columns { hasher.combine(rows[i][j]) }
        }
    }
}
