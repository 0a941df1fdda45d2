import Geometry
import Testing

@Suite("The inverse of a matrix of three rows")
struct MatrixInverseTests {
    /// Sines of whole numbers: as good as drawn by lot.
    private static let matrices: [Matrix<3, 3>] = (0..<50).map { seed in
        var matrix = Matrix<3, 3>()
        for i in 0..<3 {
            for j in 0..<3 { matrix[i, j] = Rotation3.exp(Vector3(Double(17 * seed + 5 * i + j), 0, 0)).x }
        }
        return matrix + 0.3 * .identity
    }

    @Test("times the matrix is the identity, from either side", arguments: [1e-6, 1, 1e6])
    func product(scale: Double) throws {
        for matrix in Self.matrices {
            let scaled = scale * matrix
            let inverse = try #require(scaled.inverse)
            // Rounding, as often as the condition has it.
            let tolerance = 1e-15 * scaled.norm * inverse.norm
            #expect((scaled * inverse - .identity).norm < 10 * tolerance)
            #expect((inverse * scaled - .identity).norm < 10 * tolerance)
        }
    }

    @Test("of a rotation is its transpose")
    func rotation() throws {
        let turn = Rotation3.exp(Vector3(1, -2, 0.5)).matrix
        #expect((try #require(turn.inverse) - turn.transpose).norm < 1e-15)
        #expect((turn.norm - 3.0.squareRoot()).magnitude < 1e-15)
    }

    @Test("is nil where there is none, or none in numbers")
    func none() {
        let flat = Matrix<3, 3>(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(5, 7, 9))
        #expect(flat.inverse == nil)
        #expect(Matrix<3, 3>().inverse == nil)
        #expect((1e-200 * Matrix<3, 3>.identity).inverse == nil)
        #expect((Double.nan * Matrix<3, 3>.identity).inverse == nil)
        #expect((Double.infinity * Matrix<3, 3>.identity).inverse == nil)
    }
}
