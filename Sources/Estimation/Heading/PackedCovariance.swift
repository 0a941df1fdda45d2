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
        var next = 0
        for i in 0..<ErrorState.count {
            for j in i..<ErrorState.count {
                covariance.rows[i][j] = elements[next]
                next += 1
            }
        }
        for i in 1..<ErrorState.count {
            for j in 0..<i { covariance.rows[i][j] = covariance.rows[j][i] }
        }
    }
}
