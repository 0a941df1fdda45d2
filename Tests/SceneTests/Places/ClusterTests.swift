import Geometry
import Glibc
import Scene
import Testing

@Suite("Clusters")
struct ClusterTests {
    let settings = SceneSettings().places

    /// Metres east and north of the wearer.
    func item(_ id: String, _ east: Double, _ north: Double, alone: Bool = false) -> ClusterItem {
        ClusterItem(id: id, bearing: atan2(east, north), distance: hypot(east, north), staysAlone: alone)
    }

    /// Places of a town by metres, seen from `(east, north)`.
    func items(_ places: [(Double, Double)], from east: Double, _ north: Double) -> [ClusterItem] {
        places.enumerated().map { item("p\($0)", $1.0 - east, $1.1 - north) }
    }

    @Test("behaviour 34: together within half the distance to the nearer one, by angle and by depth")
    func zone() {
        func isOne(_ a: ClusterItem, _ b: ClusterItem) -> Bool {
            var memory = ClusterMemory()
            return memory.group([a, b], settings: settings).count == 1
        }
        #expect(isOne(item("a", 0, 100), item("b", 0, 149)))
        #expect(!isOne(item("a", 0, 100), item("b", 0, 151)))
        // Across: a chord of half the distance is seen under 2·asin(¼) = 28.96°.
        let degrees = Double.pi / 180
        let near = ClusterItem(id: "a", bearing: 0, distance: 100)
        #expect(isOne(near, ClusterItem(id: "b", bearing: 28.9 * degrees, distance: 100)))
        #expect(!isOne(near, ClusterItem(id: "b", bearing: 29.1 * degrees, distance: 100)))
        // At ten times the distance it is the same.
        #expect(isOne(item("a", 0, 1000), item("b", 0, 1490)) && !isOne(item("a", 0, 10), item("b", 0, 15.1)))
    }

    @Test("behaviour 34: a cluster names its members and lies in their middle")
    func content() throws {
        var memory = ClusterMemory()
        let clusters = memory.group(
            [item("c", 100, 3), item("a", 110, -3), item("lone", -80, 0), item("b", 120, 0)], settings: settings)
        let cluster = try #require(clusters.first)
        #expect(clusters.count == 1 && cluster.members == ["a", "b", "c"] && cluster.id == "cluster/a")
        #expect(abs(cluster.distance - 110) < 1e-9 && abs(cluster.bearing - .pi / 2) < 1e-9)
        #expect(abs(cluster.nearest - hypot(100, 3)) < 1e-9)
    }

    @Test(
        "behaviour 34: the order of the items does not matter, whatever is remembered", arguments: [UInt64(1), 2, 3, 4])
    func order(seed: UInt64) {
        var draws = Draws(state: seed)
        let town = (0..<80).map { _ in (draws.number(-300...300), draws.number(-300...300)) }
        var memory = ClusterMemory()
        var others = [ClusterMemory](repeating: ClusterMemory(), count: 5)
        for step in 0..<60 {
            let items = items(town, from: Double(step) * 4 - 120, 20 * sin(Double(step) / 5))
            let clusters = memory.group(items, settings: settings)
            #expect(clusters.count > 3)
            #expect(Set(clusters.map(\.id)).count == clusters.count, "ids are unique")
            let members = clusters.flatMap(\.members)
            #expect(Set(members).count == members.count, "no place is in two clusters")
            #expect(clusters.allSatisfy { $0.members.count >= 2 && $0.members == $0.members.sorted() })
            for index in others.indices {
                #expect(others[index].group(items.shuffled(using: &draws), settings: settings) == clusters)
            }
        }
    }

    @Test("behaviour 34: what was together stays up to a larger distance, what was not does not join")
    func hysteresis() {
        var memory = ClusterMemory()
        var isOne: [Bool] = []
        for depth in [160.0, 155, 149, 155, 159, 161, 155, 151, 149.9] {
            isOne.append(!memory.group([item("a", 0, 100), item("b", 0, depth)], settings: settings).isEmpty)
        }
        #expect(isOne == [false, false, true, true, true, false, false, false, true])
    }

    @Test("behaviour 34: the noise of a position makes no cluster come and go", arguments: [UInt64(1), 2, 3])
    func flicker(seed: UInt64) {
        var draws = Draws(state: seed)
        var town: [(Double, Double)] = []
        while town.count < 60 {
            let place = (draws.number(-400...400), draws.number(-400...400))
            // What is next to the wearer truly changes with metres of noise.
            if hypot(place.0, place.1) > 40 { town.append(place) }
        }
        var memory = ClusterMemory()
        var last: [[String]] = []
        var changes = 0
        for step in 0..<600 {
            let groups = memory.group(items(town, from: draws.normal(), draws.normal()), settings: settings)
                .map { [$0.id] + $0.members }
            if step > 10, groups != last { changes += 1 }
            last = groups
        }
        #expect(changes <= 3)
    }

    @Test("behaviour 34: on a walk, clusters keep their ids while most members stay", arguments: [UInt64(1), 2, 3])
    func identity(seed: UInt64) {
        var draws = Draws(state: seed)
        let town = (0..<60).map { _ in (draws.number(-400...400), draws.number(-400...400)) }
        var memory = ClusterMemory()
        var last: [Cluster] = []
        var kept = 0
        for step in 0..<600 {
            let clusters = memory.group(items(town, from: 0.4 * Double(step) - 120, draws.normal()), settings: settings)
            for old in last {
                // Where more than half of the old is in one new cluster, and that has no more of another.
                for new in clusters {
                    let shared = Set(old.members).intersection(new.members).count
                    let largest = last.allSatisfy {
                        $0.id == old.id || Set($0.members).intersection(new.members).count < shared
                    }
                    guard 2 * shared > old.members.count, largest else { continue }
                    #expect(new.id == old.id)
                    kept += 1
                }
            }
            last = clusters
        }
        #expect(kept > 1000)
    }

    @Test("behaviour 34: two clusters become one when the wearer goes away from them, and part on the way back")
    func mergeAndPart() {
        let town = [(0.0, 0.0), (6.0, 0.0), (40.0, 0.0), (46.0, 0.0)]
        var memory = ClusterMemory()
        var counts: [Int] = []
        for north in [-30.0, -60, -200, -40, -30] {
            let clusters = memory.group(items(town, from: 20, north), settings: settings)
            counts.append(clusters.count)
        }
        #expect(counts == [2, 2, 1, 2, 2])
    }

    @Test("the selected destination stays alone, though others about it are together")
    func alone() {
        var memory = ClusterMemory()
        let clusters = memory.group(
            [item("a", 0, 100), item("b", 2, 100, alone: true), item("c", 4, 100)], settings: settings)
        #expect(clusters.map(\.members) == [["a", "c"]])
        // And leaves a cluster when it is selected.
        let second = memory.group(
            [item("a", 0, 100, alone: true), item("b", 2, 100), item("c", 4, 100)], settings: settings)
        #expect(second.map(\.members) == [["b", "c"]])
    }

    @Test("a cluster whose name is taken is named after another member")
    func names() {
        var memory = ClusterMemory()
        let first = memory.group([item("a", 0, 100), item("b", 1, 100), item("c", 2, 100)], settings: settings)
        #expect(first.map(\.id) == ["cluster/a"])
        // "a" goes to another one, while most of the first stay.
        let second = memory.group(
            [item("a", 100, 0), item("d", 101, 0), item("b", 1, 100), item("c", 2, 100)], settings: settings)
        #expect(second.map(\.id) == ["cluster/a", "cluster/d"])
        #expect(second.map(\.members) == [["b", "c"], ["a", "d"]])
    }

    @Test("what is at the wearer's very place, far beyond all numbers or nowhere does no harm")
    func hostile() {
        var memory = ClusterMemory()
        let items = [
            item("here", 0, 0), item("too", 0, 0), ClusterItem(id: "nan", bearing: .nan, distance: 1),
            ClusterItem(id: "far", bearing: 0, distance: 1e200),
            ClusterItem(id: "inf", bearing: 0, distance: .infinity),
            ClusterItem(id: "behind", bearing: 0, distance: -1),
        ]
        #expect(memory.group(items, settings: settings).map(\.members) == [["here", "too"]])
        #expect(memory.group([], settings: settings).isEmpty)
    }
}
