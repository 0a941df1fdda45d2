import Geometry

/// A covariance by its rows from the diagonal on: it is symmetric to the last bit.
struct PackedCovariance: Sendable {
    private var elements = InlineArray<435, Double>(repeating: 0)

    init() {}

    /// - Parameter covariance: is only read; as a value it would be copied.
    mutating func pack(_ covariance: inout Covariance) {
        var next = 0
        for i in 0..<ErrorState.count {
            for j in i..<ErrorState.count {
                elements[next] = covariance.rows[i][j]
                next += 1
            }
        }
    }

    /// Mutating, so that the elements are read in place.
    mutating func unpack(to covariance: inout Covariance) {
        for i in 0..<ErrorState.count {
            for j in 0..<ErrorState.count { covariance.rows[i][j] = elements[Self.place(min(i, j), max(i, j))] }
        }
    }

    /// Of an element on the diagonal or to its right.
    @inline(__always)
    private static func place(_ row: Int, _ column: Int) -> Int {
        row * ErrorState.count - row * (row + 1) / 2 + column
    }
}
