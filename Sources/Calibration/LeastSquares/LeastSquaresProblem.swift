/// Residuals of which the sum of squares shall become least, and how they answer to the parameters.
///
/// Residuals are to be written already divided by their standard deviations; a prior is one more residual.
public protocol LeastSquaresProblem {
    /// The same for all parameters.
    var residualCount: Int { get }
    /// Writes all `residualCount` elements. What is not finite tells the solver that the parameters lie too far off.
    func residuals(at parameters: [Double], into residuals: inout [Double])
    /// Writes what is not zero: the Jacobian comes zeroed.
    func jacobian(at parameters: [Double], into jacobian: inout ResidualJacobian)
}

/// `∂ residual[row] / ∂ parameter[column]`.
public struct ResidualJacobian: Sendable {
    public let rows: Int
    public let columns: Int
    /// Column by column, as MINPACK has it.
    var elements: [Double]

    public init(rows: Int, columns: Int) {
        self.rows = rows
        self.columns = columns
        elements = [Double](repeating: 0, count: rows * columns)
    }

    public subscript(_ row: Int, _ column: Int) -> Double {
        get { elements[column * rows + row] }
        set { elements[column * rows + row] = newValue }
    }

    mutating func clear() {
        for index in elements.indices { elements[index] = 0 }
    }
}
