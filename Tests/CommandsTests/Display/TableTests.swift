import Commands
import Testing

@Suite("Tables")
struct TableTests {
    @Test("columns are as wide as their widest cell and lines end without spaces")
    func layout() {
        let table = Table(
            [("name", .left), ("rate", .right), ("note", .left)],
            [["gyroscope", "208.0", ""], ["mag", "9", "±2 µT"]])
        #expect(
            table.lines == [
                "name        rate  note",
                "gyroscope  208.0",
                "mag            9  ±2 µT",
            ])
    }

    @Test("a table without rows is its titles")
    func empty() {
        #expect(Table([("name", .left), ("rate", .right)], []).lines == ["name  rate"])
    }
}
