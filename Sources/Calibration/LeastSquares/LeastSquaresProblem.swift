/// A nonlinear least-squares problem: residuals and their Jacobian.
///
/// Residuals are divided by their standard deviations; a prior is one more residual.
public protocol LeastSquaresProblem {
    /// Number of residuals, constant over the parameters.
    var residualCount: Int { get }
    /// Writes all `residualCount` elements. Values that are not finite make the solver shorten its step.
    func residuals(at parameters: [Double], into residuals: inout [Double])
    /// Writes the nonzero elements; the Jacobian is zeroed before the call.
    func jacobian(at parameters: [Double], into jacobian: inout ResidualJacobian)
}

/// Jacobian with the elements `∂ residual[row] / ∂ parameter[column]`.
public struct ResidualJacobian: Sendable {
    /// Number of residuals.
    public let rows: Int
    /// Number of parameters.
    public let columns: Int
    /// Elements in column-major order, as MINPACK stores them.
    var elements: [Double]

    /// A zero matrix.
    public init(rows: Int, columns: Int) {
        self.rows = rows
        self.columns = columns
        elements = [Double](repeating: 0, count: rows * columns)
    }

    /// Derivative of residual `row` by parameter `column`.
    public subscript(_ row: Int, _ column: Int) -> Double {
        get { elements[column * rows + row] }
        set { elements[column * rows + row] = newValue }
    }

    mutating func clear() {
        for index in elements.indices { elements[index] = 0 }
    }
}
