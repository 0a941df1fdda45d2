import Geometry

/// The rotation from a sensor's axes to the body's, as the kernel and udev write it: `0, 1, 0; -1, 0, 0; 0, 0, 1`.
public struct MountMatrix: Hashable, Sendable {
    /// Row by row.
    public let elements: [Double]

    public static let identity = MountMatrix(unchecked: [1, 0, 0, 0, 1, 0, 0, 0, 1])

    /// - Parameter elements: nine, row by row: body = matrix · sensor.
    /// - Throws: when it is not a rotation to 1e-3; mirrored and singular matrices do occur in the field.
    public init(_ elements: [Double]) throws(MountMatrixError) {
        guard elements.count == 9, elements.allSatisfy(\.isFinite) else {
            throw MountMatrixError(reason: "a mount matrix must have nine finite numbers")
        }
        self.init(unchecked: elements)
        let rows = (0..<3).map { Vector3(elements[3 * $0], elements[3 * $0 + 1], elements[3 * $0 + 2]) }
        for i in 0..<3 {
            for j in i..<3 where abs(rows[i].dot(rows[j]) - (i == j ? 1 : 0)) > Self.tolerance {
                throw MountMatrixError(reason: "\(self) is not orthonormal")
            }
        }
        guard rows[0].dot(rows[1].cross(rows[2])) > 0 else {
            throw MountMatrixError(reason: "\(self) is a reflection, not a rotation")
        }
    }

    /// - Throws: when it is not three rows of three numbers, or no rotation.
    public init(parsing text: String) throws(MountMatrixError) {
        let rows = text.split(separator: ";", omittingEmptySubsequences: false)
        var elements: [Double] = []
        for row in rows {
            let cells = row.split(separator: ",", omittingEmptySubsequences: false)
            guard rows.count == 3, cells.count == 3 else { break }
            elements += cells.compactMap { decimal(String($0)) }
        }
        guard elements.count == 9 else {
            throw MountMatrixError(reason: "“\(text.prefix(80))” is not three rows of three numbers")
        }
        try self.init(elements)
    }

    private init(unchecked elements: [Double]) { self.elements = elements }

    /// Orthonormality and determinant; hardware databases write seven digits and kernels six.
    private static let tolerance = 1e-3

    /// The columns times the parts of a vector in sensor axes.
    var matrix: Matrix<3, 3> {
        Matrix(
            Vector3(elements[0], elements[1], elements[2]), Vector3(elements[3], elements[4], elements[5]),
            Vector3(elements[6], elements[7], elements[8]))
    }
}

extension MountMatrix: CustomStringConvertible {
    public var description: String {
        (0..<3).map { row in elements[(3 * row)..<(3 * row + 3)].map { "\($0)" }.joined(separator: ", ") }
            .joined(separator: "; ")
    }
}

/// A mount matrix that must not be applied.
public struct MountMatrixError: Error, Hashable, CustomStringConvertible {
    public var reason: String

    public var description: String { "mount matrix rejected: \(reason)" }
}
