import Geometry

/// One of the 24 rotations that map axes to axes: a signed permutation with determinant 1.
package struct AxisTurn: Hashable, Sendable {
    package let matrix: Matrix<3, 3>

    private init(_ matrix: Matrix<3, 3>) { self.matrix = matrix }

    package static let identity = AxisTurn(.identity)

    /// All 24 rotations, the identity first.
    package static let all: [AxisTurn] = {
        let axes = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)].flatMap { [$0, -$0] }
        return axes.flatMap { first in
            axes.filter { $0.dot(first) == 0 }.map { AxisTurn(Matrix(first, $0, first.cross($0))) }
        }
    }()

    /// Finds the axis rotation nearest to the rotation that a matrix, such as a correction, contains.
    package init(nearestTo matrix: Matrix<3, 3>) {
        self = Self.all.max { Self.likeness($0, matrix) < Self.likeness($1, matrix) } ?? .identity
    }

    private static func likeness(_ turn: AxisTurn, _ matrix: Matrix<3, 3>) -> Double {
        (turn.matrix.transpose * matrix).trace
    }

    package var inverse: AxisTurn { AxisTurn(matrix.transpose) }

    /// Elements row by row.
    package var elements: [Double] { matrix.rowElements }

    /// Body axes along which the sensor's axes x, y and z point.
    var words: String { matrix.axisWords }
}

extension Matrix where Rows == 3, Columns == 3 {
    /// Elements row by row, without negative zeros.
    package var rowElements: [Double] { (0..<9).map { self[$0 / 3, $0 % 3] + 0 } }

    /// Magnitudes of the elements. A signed permutation changes the order of standard deviations, but their signs stay
    /// positive.
    var magnitudes: Matrix<3, 3> { Matrix { self[$0, $1].magnitude } }

    init(_ element: (_ row: Int, _ column: Int) -> Double) {
        self.init()
        for row in 0..<3 {
            for column in 0..<3 { self[row, column] = element(row, column) }
        }
    }

    /// Standard deviations of the elements of this matrix C. It is the inverse of a response S whose elements have
    /// independent errors: δC = −C·δS·C.
    func standardDeviation(ofResponse standardDeviation: (_ row: Int, _ column: Int) -> Double) -> Matrix<3, 3> {
        Matrix { row, column in
            var variance = 0.0
            for i in 0..<3 {
                for j in 0..<3 {
                    let part = self[row, i] * self[j, column] * standardDeviation(i, j)
                    variance += part * part
                }
            }
            return variance.squareRoot()
        }
    }

    /// Body axes along which the sensor's x, y and z axes point, for a matrix that is a signed permutation.
    var axisWords: String {
        let names = ["x", "y", "z"]
        let parts = (0..<3).map { column in
            let row = (0..<3).first { self[$0, column] != 0 } ?? column
            return "\(names[column]) along \(self[row, column] < 0 ? "−" : "")\(names[row])"
        }
        return "its \(parts[0]), \(parts[1]) and \(parts[2])"
    }
}
