import Scene
import Testing

@Suite("Distance text")
struct DistanceTextTests {
    private func fresh(_ metres: Double) -> String {
        var text = DistanceText()
        return text.text(for: metres)
    }

    @Test("behaviour 22: metres, then kilometres, in two digits without needless ones")
    func words() {
        let expected: [(Double, String)] = [
            (0, "0 m"), (0.4, "0 m"), (7.2, "7 m"), (42.4, "42 m"), (99.4, "99 m"), (99.6, "100 m"), (123, "120 m"),
            (994, "990 m"), (996, "1.0 km"), (1234, "1.2 km"), (1250.1, "1.3 km"), (9949, "9.9 km"), (9951, "10 km"),
            (12_345, "12 km"), (123_456, "123 km"), (1e9, "21000 km"),
        ]
        for (metres, words) in expected { #expect(fresh(metres) == words) }
    }

    @Test("behaviour 22: the straight way and that along the route stand still each by themselves")
    func twoWays() {
        var straight = DistanceText()
        var alongRoute = DistanceText()
        #expect(straight.text(for: 80.4) == "80 m" && alongRoute.text(for: 124) == "120 m")
        #expect(straight.text(for: 80.6) == "80 m" && alongRoute.text(for: 126) == "120 m")
        #expect(straight.text(for: 82) == "82 m" && alongRoute.text(for: 127.5) == "130 m")
    }

    @Test(
        "behaviour 22: noise about a rounding border changes the text once at the most",
        arguments: [0.5, 9.5, 42.5, 99.5, 125, 985, 995, 1150, 9950, 15_500], UInt64(0)..<4)
    func noise(border: Double, seed: UInt64) {
        var draws = Draws(state: seed)
        var text = DistanceText()
        // Half of the least margin to either side.
        let seen = (0..<2000).map { _ in text.text(for: border + draws.number(-0.249...0.249)) }
        #expect(changes(seen) <= 1)
    }

    @Test("a change takes a move of half a metre", arguments: UInt64(0)..<30)
    func moves(seed: UInt64) {
        var draws = Draws(state: seed)
        var text = DistanceText()
        var distance = draws.number(0...2000)
        var way = 0.0
        var seen: [String] = []
        for _ in 0..<3000 {
            let next = max(0, distance + draws.number(-0.7...0.7))
            way += abs(next - distance)
            distance = next
            seen.append(text.text(for: distance))
        }
        #expect(Double(changes(seen)) <= way / 0.5 + 1)
    }

    @Test("never farther from the truth than the digit and its margin", arguments: UInt64(0)..<30)
    func truth(seed: UInt64) throws {
        var draws = Draws(state: seed)
        var text = DistanceText()
        var distance = draws.number(0...12_000)
        for _ in 0..<1000 {
            distance = max(0, distance + draws.number(-30...30))
            let shown = text.text(for: distance)
            let number = try #require(Double(shown.split(separator: " ")[0])) * (shown.hasSuffix("km") ? 1000 : 1)
            // Of 1 m: 1 m; of more: 0.7 of the digit, which is a tenth of the number at the most.
            #expect(abs(number - distance) <= max(1, 0.07 * max(distance, number) + 1e-9))
        }
    }

    @Test("who arrives reads 0 m")
    func arrival() {
        var text = DistanceText()
        let seen = stride(from: 5.0, through: 0, by: -0.1).map { text.text(for: $0) }
        #expect(seen.last == "1 m" || seen.last == "0 m")
        #expect(text.text(for: 0) == "0 m")
    }

    private func changes(_ texts: [String]) -> Int { zip(texts, texts.dropFirst()).count { $0 != $1 } }
}
