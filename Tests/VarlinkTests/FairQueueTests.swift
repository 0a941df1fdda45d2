import Testing
import Varlink

@Suite struct FairQueueTests {
    /// A member of a group, which waits again until it has had all its turns.
    private struct Worker: Hashable {
        var group: Int
        var number: Int
    }

    /// Turns in their order, if each member has this many.
    private func turns(members: [Int], each rounds: Int) -> [Worker] {
        var queue = FairQueue<Int, Worker>()
        var left: [Worker: Int] = [:]
        for (group, count) in members.enumerated() {
            for number in 0..<count {
                let worker = Worker(group: group, number: number)
                left[worker] = rounds
                queue.add(worker, of: group)
            }
        }
        var turns: [Worker] = []
        while let worker = queue.next() {
            turns.append(worker)
            left[worker, default: 0] -= 1
            if left[worker, default: 0] > 0 { queue.add(worker, of: worker.group) }
        }
        #expect(queue.isEmpty)
        return turns
    }

    @Test("each member has all its turns, and none more", arguments: [[1], [3], [1, 1], [5, 1, 2], [1, 40]])
    func complete(members: [Int]) {
        let turns = turns(members: members, each: 7)
        #expect(turns.count == members.reduce(0, +) * 7)
        #expect(Dictionary(grouping: turns, by: { $0 }).values.allSatisfy { $0.count == 7 })
    }

    @Test("while all groups wait, each has one turn in a round, however many its members are")
    func groupsTakeTurns() {
        let turns = turns(members: [1, 40, 3], each: 10)
        // The first group has ten turns in all.
        for round in 0..<10 {
            #expect(Set(turns[(3 * round)..<(3 * round + 3)].map(\.group)) == [0, 1, 2])
        }
    }

    @Test("while all members of a group wait, each has one of the group's turns in a round")
    func membersTakeTurns() {
        let turns = turns(members: [4, 2], each: 10).filter { $0.group == 0 }
        for round in 0..<10 {
            #expect(turns[(4 * round)..<(4 * round + 4)].map(\.number) == [0, 1, 2, 3])
        }
    }

    @Test("a newcomer to a crowd of another group is next but one at the latest")
    func newcomer() {
        var queue = FairQueue<Int, String>()
        for number in 0..<100 { queue.add("crowd \(number)", of: 1) }
        _ = queue.next()
        queue.add("newcomer", of: 2)
        #expect([queue.next(), queue.next()].contains("newcomer"))
    }

    @Test("a member that is removed has no turn, and takes none from the others")
    func removalOfOne() {
        var queue = FairQueue<Int, String>()
        for (text, group) in [("a", 1), ("b", 2), ("c", 1)] { queue.add(text, of: group) }
        queue.remove(of: 1) { $0 == "a" }
        queue.remove(of: 2) { $0 == "b" }
        queue.remove(of: 3) { _ in true }
        #expect(queue.next() == "c")
        #expect(queue.next() == nil)
    }

    @Test("the members of a group are removed in their order, and the others stay")
    func removal() {
        var queue = FairQueue<Int, String>()
        for (text, group) in [("a", 1), ("b", 2), ("c", 1)] { queue.add(text, of: group) }
        #expect(queue.removeAll(of: 1) == ["a", "c"])
        #expect(queue.removeAll(of: 1).isEmpty)
        #expect(queue.next() == "b")
        #expect(queue.next() == nil)
    }
}
