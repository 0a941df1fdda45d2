/// Whole numbers that rise along an order, and of which few change when the order does: there are gaps between them, in which
/// what comes or passes another finds its number.
enum OrderNumbers {
    /// All numbers are in it: what counts with 32 bits can take them.
    static let range = 0..<(1 << 30)
    /// Between the numbers of things that come together, and before the first and after the last.
    private static let spacing = 1 << 10
    /// The least spacing where neighbours are numbered anew to make room.
    private static let leastRoom = 1 << 4
    /// The numbers of the first things lie about it.
    private static let middle = 1 << 20

    /// The numbers of things in their order. The most that can keep theirs do; all of them are different.
    ///
    /// - Parameter known: what each had before; nil for what is new.
    static func assign(_ known: [Int?]) -> [Int] {
        var numbers = rising(known)
        var place = 0
        while place < numbers.count {
            place = numbers[place] == nil ? fill(&numbers, from: place) : place + 1
        }
        return numbers.compactMap { $0 }
    }

    /// The longest sequence of numbers that rise; nil for the others. Source: Fredman, 1975.
    private static func rising(_ known: [Int?]) -> [Int?] {
        // Of the sequences of each length, the one that ends with the least number.
        var ends: [(number: Int, place: Int)] = []
        var before = [Int?](repeating: nil, count: known.count)
        for (place, number) in known.enumerated() {
            guard let number else { continue }
            let length = count(of: ends, below: number)
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

    private static func count(of ends: [(number: Int, place: Int)], below number: Int) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Numbers those from a place on that have none, and as many neighbours as it takes to find room. Returns the first place
    /// behind them.
    private static func fill(_ numbers: inout [Int?], from place: Int) -> Int {
        var run = place..<end(ofGapAt: place, numbers)
        var least = 1
        while true {
            let (low, high) = bounds(of: run, numbers)
            if high - low >= least * (run.count + 1) {
                for (step, index) in run.enumerated() {
                    numbers[index] = low + (high - low) * (step + 1) / (run.count + 1)
                }
                return run.upperBound
            }
            let upper = min(numbers.count, run.upperBound + run.count)
            run = max(0, run.lowerBound - run.count)..<end(ofGapAt: upper, numbers)
            least = leastRoom
        }
    }

    private static func end(ofGapAt place: Int, _ numbers: [Int?]) -> Int {
        numbers[place...].firstIndex { $0 != nil } ?? numbers.count
    }

    /// The numbers between which those of a run are to lie. At an end of the range is no room, so that all are numbered anew,
    /// about its middle, and seldom.
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
