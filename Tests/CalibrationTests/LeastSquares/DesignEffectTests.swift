import Calibration
import Geometry
import Testing

@Suite("design effect of blocks")
struct DesignEffectTests {
    /// Mean over fits of a mean and a slope whose residuals have an error of each row and one that a block shares.
    private func mean(shared: Double, blocks: Int) -> Double {
        var random = RandomSource(seed: 4)
        let (trials, size) = (400, 20)
        var sum = 0.0
        for _ in 0..<trials {
            let rows = blocks * size
            var jacobian = ResidualJacobian(rows: rows, columns: 2)
            var errors: [Double] = []
            for block in 0..<blocks {
                let common = shared * random.normal()
                for _ in 0..<size { errors.append(common + random.normal()) }
                for row in block * size..<(block + 1) * size {
                    jacobian[row, 0] = 1
                    jacobian[row, 1] = Double(row) / Double(rows) - 0.5 + 0.5 / Double(rows)
                }
            }
            // Both columns are at right angles.
            var residuals = errors
            for column in 0..<2 {
                let square = (0..<rows).reduce(0) { $0 + jacobian[$1, column] * jacobian[$1, column] }
                let product = (0..<rows).reduce(0) { $0 + jacobian[$1, column] * errors[$1] }
                for row in 0..<rows { residuals[row] -= product / square * jacobian[row, column] }
            }
            sum += DesignEffect(jacobian: jacobian, residuals: residuals) { $0 / size }.mean / Double(trials)
        }
        return sum
    }

    @Test("independent residuals have one of 1, with few blocks and with many", arguments: [4, 8, 40])
    func independent(_ blocks: Int) {
        // 400 means over two parameters scatter by √(2/(400·2)) = 5 %; three times that.
        #expect((mean(shared: 0, blocks: blocks) - 1).magnitude < 0.15)
    }

    @Test("what a block of twenty shares counts twenty times")
    func shared() {
        // An error of the same variance for each row and for the block: 1 + 20. The fit has taken some of it.
        #expect((0.8 * 21...1.2 * 21).contains(mean(shared: 1, blocks: 40)))
    }
}
