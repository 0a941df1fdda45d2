import Scene
import Testing

@Suite("Draw order")
struct DrawOrderTests {
    @Test(
        "behaviour 38: the farthest first, equal ones by their id, whatever order they come in",
        arguments: UInt64(0)..<20)
    func farToNear(seed: UInt64) {
        var draws = Draws(state: seed)
        let things = [("d", 5.0), ("a", 90), ("c", 5), ("b", 700), ("e", 0)].shuffled(using: &draws)
        let ranks = DrawOrder.ranks(distances: things.map(\.1), ids: things.map(\.0))
        let drawn = zip(ranks, things).sorted { $0.0 < $1.0 }.map(\.1.0)
        #expect(drawn == ["b", "a", "c", "d", "e"])
    }

    @Test(
        "behaviour 38: two that are nearly equally far do not swap while their distances waver",
        arguments: UInt64(0)..<20)
    func steady(seed: UInt64) {
        var draws = Draws(state: seed)
        var order = DrawOrder()
        let ids = (0..<40).map { "p\($0)" }
        let distances = ids.map { _ in draws.number(20...30) }
        let first = order.ranks(distances: distances, ids: ids)
        for _ in 0..<500 {
            // Under the least margin of 0.25 m.
            let wavering = distances.map { $0 + draws.number(-0.24...0.24) }
            #expect(order.ranks(distances: wavering, ids: ids) == first)
        }
    }

    @Test("behaviour 38: whoever is clearly nearer is drawn later, on any walk", arguments: UInt64(0)..<20)
    func truth(seed: UInt64) {
        var draws = Draws(state: seed)
        var order = DrawOrder()
        let ids = (0..<30).map { "p\($0)" }
        var distances = ids.map { _ in draws.number(0...400) }
        for _ in 0..<200 {
            for index in distances.indices { distances[index] = max(0, distances[index] + draws.number(-2...2)) }
            let ranks = order.ranks(distances: distances, ids: ids)
            #expect(ranks.sorted() == Array(ids.indices))
            for a in ids.indices {
                for b in ids.indices where distances[a] - distances[b] > 2 * max(0.25, 0.0102 * distances[a]) {
                    #expect(ranks[a] < ranks[b])
                }
            }
        }
    }

    @Test("what has gone and comes back is ranked anew")
    func forgets() {
        var order = DrawOrder()
        #expect(order.ranks(distances: [10, 10.1], ids: ["a", "b"]) == [1, 0])
        #expect(order.ranks(distances: [10.2, 10.1], ids: ["a", "b"]) == [1, 0])
        #expect(order.ranks(distances: [10.1], ids: ["b"]) == [0])
        #expect(order.ranks(distances: [10.2, 10.1], ids: ["a", "b"]) == [0, 1])
        #expect(order.ranks(distances: [], ids: []).isEmpty)
    }
}
