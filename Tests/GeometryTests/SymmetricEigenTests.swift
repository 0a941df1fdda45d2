import Geometry
import Testing

@Suite("eigenvalues of symmetric matrices")
struct SymmetricEigenTests {
    /// Filled from a sequence without a pattern.
    private func matrix<let Size: Int>(_ seed: Int) -> Matrix<Size, Size> {
        var result = Matrix<Size, Size>()
        var state = seed
        for i in 0..<Size {
            for j in 0...i {
                state = (state * 1_103_515_245 + 12345) % 2_147_483_648
                result[i, j] = Double(state) / 2_147_483_648 - 0.5
                result[j, i] = result[i, j]
            }
        }
        return result
    }

    private func check<let Size: Int>(_ a: Matrix<Size, Size>) throws {
        let eigen = try #require(SymmetricEigen(a))
        let again = eigen.mapped { $0 }
        let unit = eigen.vectors.transpose * eigen.vectors
        for i in 0..<Size {
            if i > 0 { #expect(eigen.values[i - 1] <= eigen.values[i]) }
            // Rounding of a few dozen rotations.
            for j in 0..<Size {
                #expect((again[i, j] - a[i, j]).magnitude < 1e-13)
                #expect((unit[i, j] - (i == j ? 1 : 0)).magnitude < 1e-13)
            }
        }
    }

    @Test("put together they are the matrix again, in order, and the vectors are orthonormal")
    func composes() throws {
        for seed in 1...50 {
            try check(matrix(seed) as Matrix<3, 3>)
            try check(matrix(seed) as Matrix<10, 10>)
        }
        try check(.identity)
        try check(Matrix<3, 3>())
    }

    @Test("the square of the root is the matrix")
    func root() throws {
        let a: Matrix<3, 3> = matrix(7)
        let square = a * a
        let root = try #require(SymmetricEigen(square)).mapped { max(0, $0).squareRoot() }
        let again = root * root
        for i in 0..<3 { for j in 0..<3 { #expect((again[i, j] - square[i, j]).magnitude < 1e-13) } }
    }

    @Test("a matrix that is not finite has none")
    func notFinite() {
        var a = Matrix<3, 3>.identity
        a[1, 0] = .nan
        #expect(SymmetricEigen(a) == nil)
    }
}
