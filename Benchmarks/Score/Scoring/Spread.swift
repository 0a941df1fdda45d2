/// Mean of some values, and how well they determine it.
package struct Spread: Hashable, Sendable {
    /// Mean of the values.
    package let mean: Double
    /// Standard deviation of the mean; 0 for a single value.
    package let standardDeviation: Double
    /// Number of values.
    package let count: Int

    /// Nil without a value.
    package init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        let number = Double(values.count)
        mean = values.reduce(0, +) / number
        count = values.count
        guard count > 1 else {
            standardDeviation = 0
            return
        }
        let mean = mean
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        standardDeviation = (squares / (number - 1) / number).squareRoot()
    }
}
