import PlanMatching
import Testing

@Suite("Numbers of levels")
struct PlanLevelNumberTests {
    private func number(_ name: String) -> Double? { PlanLevel.numbers(of: [name])[0] }

    @Test(
        "a clear name has a number",
        arguments: [
            ("-1", -1), ("1.5", 1.5), ("+2", 2), ("\u{2212}2", -2), ("-0", 0), ("G", 0), ("EG", 0), ("RDC", 0),
            ("B1", -1), ("b 2", -2), ("UG", -1), ("UG2", -2), ("2.UG", -2), ("OG", 1), ("OG2", 2), ("2. OG", 2),
            ("F1", 0), ("F3", 2), ("2F", 1), ("L2", 1), ("Level 3", 2), ("L-1", -1), ("L0", 0), ("F1.5", 0.5),
        ] as [(String, Double)])
    func clear(name: String, expected: Double) { #expect(number(name) == expected) }

    @Test(
        "a name without a clear number has none",
        arguments: [
            "", "mezzanine", "M", "F", "A1", "1-2", "F1a", "1.", "--1", "1e2", "12345", "nan", "0x1", "Ｆ1", "LG",
        ])
    func unclear(name: String) { #expect(number(name) == nil) }

    @Test("names that count from 1 count from the ground floor, or from the one above it where the plan has that")
    func counted() {
        #expect(PlanLevel.numbers(of: ["B1", "F1", "F2"]) == [-1, 0, 1])
        #expect(PlanLevel.numbers(of: ["G", "L1", "L2", "roof"]) == [0, 1, 2, nil])
        #expect(PlanLevel.numbers(of: ["F0", "F1"]) == [0, 1])
    }
}
