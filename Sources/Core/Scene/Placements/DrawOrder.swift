/// Drawing order of flat objects, far to near, with hysteresis between frames.
///
/// Each object is ranked by a held distance, which is updated only when the true distance differs from it by a margin.
/// Two objects at nearly equal distances therefore do not swap repeatedly. Two objects whose distances differ by more
/// than both margins are always in true order.
public struct DrawOrder: Hashable, Sendable {
    private struct Held: Hashable {
        /// Held distance. Unit: metres.
        var distance: Double
        var number: Int
    }

    /// Margin as a fraction of the distance.
    private static let marginShare = 0.01
    /// Least margin. Unit: metres.
    private static let minimumMargin = 0.25

    private var held: [String: Held] = [:]

    package init() {}

    /// Returns the drawing number of each object. The farthest object has the least number and is drawn first. Objects
    /// at equal distances are ordered by identifier. An object keeps its number while others appear, disappear and pass
    /// it, because the numbers have gaps. Some neighbours are renumbered only if a gap is full. Absent objects are
    /// forgotten.
    ///
    /// - Parameter distances: distances of the objects in the order of `ids`, which are unique. Unit: metres.
    public mutating func numbers(distances: [Double], ids: [String]) -> [Int] {
        precondition(distances.count == ids.count, "each thing has one distance and one id")
        let steady = zip(distances, ids).map { distance, id in
            guard let before = held[id]?.distance, (before - distance).magnitude <= Self.margin(before) else {
                return distance
            }
            return before
        }
        let order = ids.indices.sorted { (-steady[$0], ids[$0]) < (-steady[$1], ids[$1]) }
        let inOrder = OrderNumbers.assign(order.map { held[ids[$0]]?.number })
        var numbers = [Int](repeating: 0, count: ids.count)
        var next: [String: Held] = [:]
        next.reserveCapacity(ids.count)
        for (index, number) in zip(order, inOrder) {
            numbers[index] = number
            next[ids[index]] = Held(distance: steady[index], number: number)
        }
        held = next
        return numbers
    }

    private static func margin(_ distance: Double) -> Double { max(minimumMargin, marginShare * distance) }
}

/// Increasing integers that represent an order. Few of them change when the order does, because gaps between them leave
/// room for insertions.
enum OrderNumbers {
    /// Range of all numbers, which fits in 32 bits.
    static let range = 0..<(1 << 30)
    /// Spacing of numbers that are assigned together, and of numbers before the first or after the last existing one.
    private static let spacing = 1 << 10
    /// Least spacing after neighbours have been renumbered to make room.
    private static let minimumRoom = 1 << 4
    /// Number around which the numbers are centred when all of them are assigned together.
    private static let middle = 1 << 20

    /// Assigns increasing, different numbers. Keeps as many of the previous ones as possible.
    ///
    /// - Parameter known: previous number of each object; nil for new objects.
    static func assign(_ known: [Int?]) -> [Int] {
        var numbers = rising(known)
        var place = 0
        while place < numbers.count {
            place = numbers[place] == nil ? fill(&numbers, from: place) : place + 1
        }
        return numbers.compactMap { $0 }
    }

    /// Returns the longest increasing subsequence of the numbers, with nil in place of the other numbers. Source:
    /// Fredman, 1975.
    private static func rising(_ known: [Int?]) -> [Int?] {
        // For each length, the sequence whose last number is least is kept.
        var ends: [(number: Int, place: Int)] = []
        var before = [Int?](repeating: nil, count: known.count)
        for (place, number) in known.enumerated() {
            guard let number else { continue }
            let length = ends.partitionPoint { $0.number < number }
            before[place] = length > 0 ? ends[length - 1].place : nil
            if length == ends.count { ends.append((number, place)) } else { ends[length] = (number, place) }
        }
        var kept = [Int?](repeating: nil, count: known.count)
        var next = ends.last?.place
        while let place = next {
            kept[place] = known[place]
            next = before[place]
        }
        return kept
    }

    /// Assigns numbers to a run of objects without numbers, and to as many neighbours as are needed to make room.
    /// Returns the first index after them.
    private static func fill(_ numbers: inout [Int?], from place: Int) -> Int {
        var run = place..<end(ofGapAt: place, numbers)
        var minimum = 1
        while true {
            let (low, high) = bounds(of: run, numbers)
            if high - low >= minimum * (run.count + 1) {
                for (step, index) in run.enumerated() {
                    numbers[index] = low + (high - low) * (step + 1) / (run.count + 1)
                }
                return run.upperBound
            }
            let upper = min(numbers.count, run.upperBound + run.count)
            run = max(0, run.lowerBound - run.count)..<end(ofGapAt: upper, numbers)
            minimum = minimumRoom
        }
    }

    private static func end(ofGapAt place: Int, _ numbers: [Int?]) -> Int {
        numbers[place...].firstIndex { $0 != nil } ?? numbers.count
    }

    /// Returns the lower and upper bound for the numbers of a run. If there is no room at an end of the range, which is
    /// rare, all objects are renumbered around its middle.
    private static func bounds(of run: Range<Int>, _ numbers: [Int?]) -> (low: Int, high: Int) {
        let room = spacing * (run.count + 1)
        let before = run.lowerBound > 0 ? numbers[run.lowerBound - 1] : nil
        let after = run.upperBound < numbers.count ? numbers[run.upperBound] : nil
        switch (before, after) {
        case (let low?, let high?): return (low, high)
        case (let low?, nil): return (low, low + room <= range.upperBound ? low + room : low)
        case (nil, let high?): return (high - room < range.lowerBound ? high : high - room, high)
        case (nil, nil):
            let low = max(range.lowerBound - 1, middle - room / 2)
            return (low, low + room)
        }
    }
}
