import Scene
import Testing

@Suite("Steady distances")
struct SteadyDistanceTests {
    private func fresh(_ metres: Double) -> Int {
        var shown = SteadyDistance()
        return shown.metres(for: metres)
    }

    @Test("behaviour 22: whole metres, then two digits, and whole kilometres")
    func digits() {
        let expected: [(Double, Int)] = [
            (0, 0), (0.4, 0), (7.2, 7), (42.4, 42), (99.4, 99), (99.6, 100), (123, 120), (994, 990), (996, 1000),
            (1234, 1200), (1250.1, 1300), (9949, 9900), (9951, 10_000), (12_345, 12_000), (123_456, 123_000),
            (1e9, 21_000_000),
        ]
        for (metres, shown) in expected { #expect(fresh(metres) == shown) }
    }

    @Test("behaviour 22: the straight way and that along the route stand still each by themselves")
    func twoWays() {
        var straight = SteadyDistance()
        var alongRoute = SteadyDistance()
        #expect(straight.metres(for: 80.4) == 80 && alongRoute.metres(for: 124) == 120)
        #expect(straight.metres(for: 80.6) == 80 && alongRoute.metres(for: 126) == 120)
        #expect(straight.metres(for: 82) == 82 && alongRoute.metres(for: 127.5) == 130)
    }

    @Test(
        "behaviour 22: noise about a rounding border changes the number once at the most",
        arguments: [0.5, 9.5, 42.5, 99.5, 125, 985, 995, 1150, 9950, 15_500], UInt64(0)..<4)
    func noise(border: Double, seed: UInt64) {
        var draws = Draws(state: seed)
        var shown = SteadyDistance()
        // Half of the least margin to either side.
        let seen = (0..<2000).map { _ in shown.metres(for: border + draws.number(-0.249...0.249)) }
        #expect(changes(seen) <= 1)
    }

    @Test("a change takes a move of half a metre", arguments: UInt64(0)..<30)
    func moves(seed: UInt64) {
        var draws = Draws(state: seed)
        var shown = SteadyDistance()
        var distance = draws.number(0...2000)
        var travelled = 0.0
        var seen: [Int] = []
        for _ in 0..<3000 {
            let next = max(0, distance + draws.number(-0.7...0.7))
            travelled += abs(next - distance)
            distance = next
            seen.append(shown.metres(for: distance))
        }
        #expect(Double(changes(seen)) <= travelled / 0.5 + 1)
    }

    @Test("never farther from the truth than the digit and its margin", arguments: UInt64(0)..<30)
    func truth(seed: UInt64) {
        var draws = Draws(state: seed)
        var shown = SteadyDistance()
        var distance = draws.number(0...12_000)
        for _ in 0..<1000 {
            distance = max(0, distance + draws.number(-30...30))
            let number = Double(shown.metres(for: distance))
            // Of 1 m: 1 m; of more: 0.7 of the digit, which is a tenth of the number at the most.
            #expect(abs(number - distance) <= max(1, 0.07 * max(distance, number) + 1e-9))
        }
    }

    @Test("who arrives reads 0 m")
    func arrival() {
        var shown = SteadyDistance()
        let seen = stride(from: 5.0, through: 0, by: -0.1).map { shown.metres(for: $0) }
        #expect(seen.last == 1 || seen.last == 0)
        #expect(shown.metres(for: 0) == 0)
    }

    private func changes(_ shown: [Int]) -> Int { zip(shown, shown.dropFirst()).count { $0 != $1 } }
}
