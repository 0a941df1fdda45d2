import Scene
import Testing

@Suite("Draw order")
struct DrawOrderTests {
    /// The ids in the order in which they are drawn.
    private func drawn(_ numbers: [Int], _ ids: [String]) -> [String] {
        zip(numbers, ids).sorted { $0.0 < $1.0 }.map(\.1)
    }

    @Test(
        "behaviour 38: the farthest first, equal ones by their id, whatever order they come in",
        arguments: UInt64(0)..<20)
    func farToNear(seed: UInt64) {
        var draws = Draws(state: seed)
        var order = DrawOrder()
        let things = [("d", 5.0), ("a", 90), ("c", 5), ("b", 700), ("e", 0)].shuffled(using: &draws)
        let numbers = order.numbers(distances: things.map(\.1), ids: things.map(\.0))
        #expect(drawn(numbers, things.map(\.0)) == ["b", "a", "c", "d", "e"])
    }

    @Test(
        "behaviour 38: two that are nearly equally far do not swap while their distances waver",
        arguments: UInt64(0)..<20)
    func steady(seed: UInt64) {
        var draws = Draws(state: seed)
        var order = DrawOrder()
        let ids = (0..<40).map { "p\($0)" }
        let distances = ids.map { _ in draws.number(20...30) }
        let first = order.numbers(distances: distances, ids: ids)
        for _ in 0..<500 {
            // Under the least margin of 0.25 m.
            let wavering = distances.map { $0 + draws.number(-0.24...0.24) }
            #expect(order.numbers(distances: wavering, ids: ids) == first)
        }
    }

    @Test("behaviour 38: what is clearly nearer is drawn later, on any walk", arguments: UInt64(0)..<20)
    func truth(seed: UInt64) {
        var draws = Draws(state: seed)
        var order = DrawOrder()
        let ids = (0..<30).map { "p\($0)" }
        var distances = ids.map { _ in draws.number(0...400) }
        for _ in 0..<200 {
            for index in distances.indices { distances[index] = max(0, distances[index] + draws.number(-2...2)) }
            let numbers = order.numbers(distances: distances, ids: ids)
            #expect(Set(numbers).count == ids.count)
            for a in ids.indices {
                for b in ids.indices where distances[a] - distances[b] > 2 * max(0.25, 0.0102 * distances[a]) {
                    #expect(numbers[a] < numbers[b])
                }
            }
        }
    }

    @Test("what has gone and comes back is ranked anew")
    func forgets() {
        var order = DrawOrder()
        func drawn(_ distances: [Double]) -> [String] {
            self.drawn(order.numbers(distances: distances, ids: ["a", "b"]), ["a", "b"])
        }
        #expect(drawn([10, 10.1]) == ["b", "a"])
        #expect(drawn([10.2, 10.1]) == ["b", "a"])
        #expect(order.numbers(distances: [10.1], ids: ["b"]).count == 1)
        #expect(drawn([10.2, 10.1]) == ["a", "b"])
        #expect(order.numbers(distances: [], ids: []).isEmpty)
    }

    /// Things of which each has a number of its own.
    private struct Row {
        private var order = DrawOrder()
        private(set) var numbers: [String: Int] = [:]

        /// Numbers them by their distances; returns the number of those that stay but have another number than before.
        mutating func place(_ things: [(id: String, distance: Double)]) -> Int {
            let before = numbers
            let found = order.numbers(distances: things.map(\.distance), ids: things.map(\.id))
            numbers = Dictionary(uniqueKeysWithValues: zip(things.map(\.id), found))
            return numbers.count { id, number in before[id].map { $0 != number } ?? false }
        }
    }

    @Test(
        "behaviour 38: what comes, goes or passes others changes the number of none of them", arguments: UInt64(0)..<20)
    func undisturbed(seed: UInt64) {
        var draws = Draws(state: seed)
        var things = (0..<60).map { ("p\($0)", draws.number(0...400)) }
        var row = Row()
        #expect(row.place(things) == 0)
        things.append(("new", draws.number(0...400)))
        #expect(row.place(things) == 0)
        things.remove(at: 7)
        #expect(row.place(things) == 0)
        things[3].1 = draws.number(0...400)
        #expect(row.place(things) <= 1)
    }

    @Test(
        "behaviour 38: where a gap is full few others make room, and numbers stay within 30 bits, however long it goes on",
        arguments: 0..<4)
    func endless(kind: Int) {
        var draws = Draws(state: UInt64(kind))
        var things = (0..<100).map { ("p\($0)", draws.number(0...400)) }
        var row = Row()
        var changes = row.place(things)
        let steps = 5000
        for step in 0..<steps {
            things.removeFirst()
            let distance =
                switch kind {
                // Into one gap, beyond the farthest, before the nearest, and anywhere.
                case 0: 200 + 0.3 / Double(step + 1)
                case 1: 1000 + Double(step)
                case 2: 1000 / Double(step + 1)
                default: draws.number(0...400)
                }
            things.append(("n\(step)", distance))
            changes += row.place(things)
            #expect(row.numbers.values.allSatisfy { (0..<1 << 30).contains($0) })
            #expect(Set(row.numbers.values).count == things.count)
        }
        // At the ends of the numbers all are numbered anew, once in a thousand steps.
        #expect(Double(changes) <= 0.2 * Double(steps))
    }
}
