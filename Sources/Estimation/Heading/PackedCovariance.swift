import Geometry

/// Upper triangle of a covariance, by rows: a covariance is symmetric to the last bit.
struct PackedCovariance: Sendable {
    private var elements = InlineArray<435, Double>(repeating: 0)

    init() {}

    /// Copies the upper triangle of a covariance.
    ///
    /// - Parameter covariance: matrix that is copied; `inout` only to avoid a copy of the whole.
    mutating func pack(_ covariance: inout Covariance) {
        var next = 0
        for i in 0..<ErrorState.count {
            for j in i..<ErrorState.count {
                elements[next] = covariance.rows[i][j]
                next += 1
            }
        }
    }

    /// Restores a covariance. `mutating` so that the elements are read in place.
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
