/// Runs independent pieces of work side by side. The result does not depend on their number: each piece is a pure
/// function of its index, and the results are in the order of the pieces.
package enum Workers {
    /// Results of the work for each index below a number.
    ///
    /// - Parameter jobs: largest number of pieces at a time.
    package static func map<Result: Sendable>(
        _ count: Int, jobs: Int, _ work: @escaping @Sendable (Int) -> Result
    ) async -> [Result] {
        await withTaskGroup(of: (Int, Result).self) { group in
            var results = [Result?](repeating: nil, count: count)
            var next = 0
            while next < min(count, max(1, jobs)) {
                let index = next
                group.addTask { (index, work(index)) }
                next += 1
            }
            while let (index, result) = await group.next() {
                results[index] = result
                guard next < count else { continue }
                let following = next
                group.addTask { (following, work(following)) }
                next += 1
            }
            return results.compactMap { $0 }
        }
    }
}
