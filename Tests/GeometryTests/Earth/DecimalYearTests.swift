import Geometry
import Testing

@Suite("Decimal year")
struct DecimalYearTests {
    static let published: [(utcSeconds: Double, year: Double)] = [
        (0, 1970), (1_735_689_600, 2025), (1_767_225_600, 2026), (1_709_164_800, 2024.1612021857923),
        (951_782_400, 2000.1612021857923), (1_751_328_000, 2025.495890410959), (4_102_444_800, 2100),
        (4_133_980_800, 2101),
    ]

    @Test("from seconds since 1970", arguments: published)
    func known(utcSeconds: Double, year: Double) throws {
        // A millisecond.
        #expect(abs(try #require(DecimalYear.of(utcSeconds: utcSeconds)) - year) < 3e-11)
    }

    @Test("grows through every new year")
    func continuous() throws {
        for second in stride(from: 1.0e9, to: 5.0e9, by: 86400 * 5) {
            let before = try #require(DecimalYear.of(utcSeconds: second))
            let after = try #require(DecimalYear.of(utcSeconds: second + 86400))
            #expect(after > before && after - before < 1 / 364.9)
        }
    }

    @Test("a clock that cannot be right has no year", arguments: [-1.0, .nan, .infinity, 8e9])
    func wrong(utcSeconds: Double) {
        #expect(DecimalYear.of(utcSeconds: utcSeconds) == nil)
    }
}
