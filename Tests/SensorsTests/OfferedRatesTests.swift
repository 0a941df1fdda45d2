import Sensors
import Testing

@Suite struct OfferedRatesTests {
    @Test(
        "of the listed rates the next higher one is asked for",
        arguments: [
            (104.0, "13.0 26.0 52.0 104.0 208.0\n", 104.0), (200, "13 26 52 104 208", 208), (500, "13 26 52", 52),
            (100, "", 100), (100, "nan inf -5 x", 100), (50, "12.5 25 50 100", 50),
        ])
    func rates(requested: Double, listed: String, expected: Double) {
        #expect(OfferedRates(listed).choice(for: requested) == expected)
        #expect(OfferedRates(nil).choice(for: requested) == requested)
    }

    @Test(
        "a listed rate is requested as the driver spells it",
        arguments: [
            (200.0, "10 20 50 100 200 500", "200"), (200, "12.500000 200.000000 400.000000", "200.000000"),
            (200, "12.5 208.000 416.000", "208.000"), (10, "0.75 7.500000 15.0", "15.0"),
        ])
    func spelling(requested: Double, listed: String, expected: String) {
        #expect(OfferedRates(listed).spellings(for: requested).first == expected)
    }

    @Test(
        "without a list a whole rate has no decimals, and a fractional one is tried as a decimal, then rounded",
        arguments: [(200.0, ["200"]), (0.5, ["0.5", "1"]), (111.1, ["111.1", "111"]), (0.25, ["0.25"])])
    func unlisted(requested: Double, expected: [String]) {
        #expect(OfferedRates(nil).spellings(for: requested) == expected)
    }

    @Test("a listed form that the driver does not parse is followed by the plain number")
    func forms() {
        #expect(OfferedRates("50.0 200.0").spellings(for: 200) == ["200.0", "200"])
        #expect(OfferedRates("12.5 200").spellings(for: 12.5) == ["12.5", "13"])
    }

    @Test(
        "of a range the next rate on a step is requested, in the range's own form",
        arguments: [
            (100.0, "[1 1 400]", "100"), (1000, "[1 1 400]", "400"), (0.2, "[1 1 400]", "1"),
            (200, "[0.781250 0.781250 1600.000000]", "200"), (100, "[12.500 12.500 100.000]", "100.000"),
            (60, "[12.500 12.500 100.000]", "62.500"), (50, "[0 20 400]", "60"), (0.1, "[0 20 400]", "20"),
            (390, "[10 25 400]", "385"),
        ])
    func ranges(requested: Double, range: String, expected: String) {
        let text = OfferedRates(range).spellings(for: requested).first
        #expect(text.flatMap(Double.init) == Double(expected))
        #expect(range.contains(".") == (text?.contains(".") == true))
    }

    @Test(
        "of 0, a least and a largest rate any rate between the two is requested",
        arguments: [(50.0, "50"), (200, "100"), (5, "12.5"), (62.5, "62.5")])
    func between(requested: Double, expected: String) {
        #expect(OfferedRates("0.000000 12.500000 100.000000").spellings(for: requested).first == expected)
    }

    @Test(
        "a text that is no range counts as none", arguments: ["[", "[1 2]", "[1 0 5]", "[5 1 2]", "[-1 1 nan]", "[]"])
    func noRange(text: String) {
        #expect(OfferedRates(text) == OfferedRates(nil))
    }

    @Test("whatever a driver lists, the texts are plain decimal numbers of a rate that it may have")
    func anyList() {
        for text in ["1e300 5", "1e-9", "[1e-7 1e-7 1]", "[1 1 1e300]", String(repeating: "3 ", count: 5000)] {
            for requested in [0.001, 50, 200, 1e6] {
                for spelling in OfferedRates(text).spellings(for: requested) where !text.contains(spelling) {
                    #expect(spelling.allSatisfy { $0.isNumber || $0 == "." }, "\(spelling) of \(text)")
                }
            }
        }
    }
}
