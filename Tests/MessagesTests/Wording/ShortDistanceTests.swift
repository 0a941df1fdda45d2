import Testing
import Messages

@Suite("Distances on labels")
struct ShortDistanceTests {
    static let metres = [0, 7, 42, 120, 990, 1000, 1200, 9900, 10_000, 12_000, 21_000_000]

    @Test("behaviour 22: metres, then kilometres with a decimal, then whole ones")
    func english() {
        #expect(
            Self.metres.map { ShortDistance.text(metres: $0, in: .english) } == [
                "0 m", "7 m", "42 m", "120 m", "990 m", "1.0 km", "1.2 km", "9.9 km", "10 km", "12 km", "21000 km",
            ])
    }

    @Test(
        "behaviour 22: the decimal sign and the signs of the units are those of the language",
        arguments: [
            (Language.german, "120 m", "1,2 km", "12 km"), (.french, "120 m", "1,2 km", "12 km"),
            (.spanish, "120 m", "1,2 km", "12 km"), (.russian, "120 м", "1,2 км", "12 км"),
            (.ukrainian, "120 м", "1,2 км", "12 км"),
        ])
    func others(language: Language, metres: String, tenths: String, kilometres: String) {
        let texts = [120, 1200, 12_000].map { ShortDistance.text(metres: $0, in: language) }
        #expect(texts == [metres, tenths, kilometres])
    }
}
