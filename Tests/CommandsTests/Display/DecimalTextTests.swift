import Commands
import Testing

@Suite("Numbers for people")
struct DecimalTextTests {
    @Test(
        "a number is rounded to the digits asked for",
        arguments: [
            (1.25, 1, "1.3"), (-1.25, 1, "-1.3"), (0.04, 1, "0.0"), (-0.04, 1, "0.0"), (12.0, 0, "12"),
            (1.005, 2, "1.00"), (0.009, 2, "0.01"), (47.123456789, 7, "47.1234568"), (-0.5, 0, "-1"),
            (99.96, 1, "100.0"),
        ])
    func fixed(value: Double, digits: Int, text: String) {
        #expect(value.fixed(digits) == text)
    }

    @Test("what is no number or too large for digits does no harm")
    func extremes() {
        #expect(Double.nan.fixed(2) == "-")
        #expect(Double.infinity.fixed(2) == "-")
        #expect(1e300.fixed(2) == "1e+300")
    }

    @Test("a sign is written where it is asked for")
    func signed() {
        #expect(1.5.signed(1) == "+1.5")
        #expect((-1.5).signed(1) == "-1.5")
        #expect((-0.01).signed(1) == "+0.0")
    }
}
