/// Mean of the bytes in a square around each byte. The square is clipped at the edges.
///
/// Source: Crow, "Summed-area tables for texture mapping", SIGGRAPH 1984.
struct SurroundingMean {
    private let columns: Int
    private let rows: Int
    /// Sum of all values below and left of each corner.
    private let sums: [UInt32]

    /// - Parameter values: at most 2²⁴ values, row by row, so that the sums do not overflow.
    init(of values: [UInt8], columns: Int) {
        let rows = values.count / max(1, columns)
        let stride = columns + 1
        var sums = [UInt32](repeating: 0, count: stride * (rows + 1))
        for row in 0..<rows {
            var sum: UInt32 = 0
            for column in 0..<columns {
                sum += UInt32(values[row * columns + column])
                sums[(row + 1) * stride + column + 1] = sums[row * stride + column + 1] + sum
            }
        }
        (self.columns, self.rows, self.sums) = (columns, rows, sums)
    }

    /// Returns the mean around each value.
    ///
    /// - Parameter reach: number of values included on each side.
    func values(reach: Int) -> [UInt8] {
        var means: [UInt8] = []
        means.reserveCapacity(rows * columns)
        for row in 0..<rows {
            let height = max(0, row - reach)..<min(rows, row + reach + 1)
            for column in 0..<columns {
                means.append(mean(height, max(0, column - reach)..<min(columns, column + reach + 1)))
            }
        }
        return means
    }

    private func mean(_ height: Range<Int>, _ width: Range<Int>) -> UInt8 {
        let (low, high) = (height.lowerBound * (columns + 1), height.upperBound * (columns + 1))
        let upper = sums[high + width.upperBound] - sums[high + width.lowerBound]
        let lower = sums[low + width.upperBound] - sums[low + width.lowerBound]
        return UInt8((upper - lower) / UInt32(height.count * width.count))
    }
}
