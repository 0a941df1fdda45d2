import Geometry

/// Rotation from a sensor's axes to the body frame, in the notation of the kernel and udev: `0, 1, 0; -1, 0, 0; 0, 0,
/// 1`.
package struct MountMatrix: Hashable, Sendable {
    /// The nine elements, row by row.
    package let elements: [Double]

    /// Sensor axes equal to the body axes.
    package static let identity = MountMatrix(unchecked: [1, 0, 0, 0, 1, 0, 0, 0, 1])

    /// Checks and stores the elements.
    ///
    /// - Parameter elements: nine elements, row by row: body = matrix · sensor.
    /// - Throws: if the matrix is not a rotation to within 1e-3; mirrored and singular matrices do occur in the field.
    package init(_ elements: [Double]) throws(MountMatrixError) {
        self.init(unchecked: elements)
        guard try isRotation() else { throw MountMatrixError(reason: "\(self) is a reflection, not a rotation") }
    }

    /// Whether the matrix is a rotation; false for a mirror image.
    ///
    /// - Throws: if the matrix is neither a rotation nor a mirror image.
    private func isRotation() throws(MountMatrixError) -> Bool {
        guard elements.count == 9, elements.allSatisfy(\.isFinite) else {
            throw MountMatrixError(reason: "a mount matrix must have nine finite numbers")
        }
        let rows = (0..<3).map { Vector3(elements[3 * $0], elements[3 * $0 + 1], elements[3 * $0 + 2]) }
        for i in 0..<3 {
            for j in i..<3 where abs(rows[i].dot(rows[j]) - (i == j ? 1 : 0)) > Self.tolerance {
                throw MountMatrixError(reason: "\(self) is not orthonormal")
            }
        }
        return rows[0].dot(rows[1].cross(rows[2])) > 0
    }

    /// Parses the kernel's notation.
    ///
    /// - Throws: if the text is not three rows of three numbers, or the matrix is not a rotation.
    package init(parsing text: String) throws(MountMatrixError) { try self.init(Self.elements(parsing: text)) }

    /// Rotation for an entry `ACCEL_MOUNT_MATRIX` of udev's hardware database, and whether the entry is a mirror image.
    ///
    /// Entries are made for iio-sensor-proxy, which expects -1 g on y for an upright screen (its test-orientation.c).
    /// Windows defines these readings for HID sensor hubs; they are the opposite of specific force. An accelerometer
    /// that follows the kernel's convention reports specific force. If its rotation to the screen's axes is R, its
    /// entry is therefore -R, a mirror image; `60-sensor.hwdb` states this for cros_ec. A mirror image is therefore
    /// negated, which gives R for both gyroscope and accelerometer, and the accelerometer's sign stays 1. An entry that
    /// is a rotation is used unchanged, because the board's maker followed the kernel's convention.
    ///
    /// - Throws: if the text is not three rows of three numbers, or the matrix is neither a rotation nor a mirror
    ///   image.
    package static func inDatabase(
        _ text: String
    ) throws(MountMatrixError) -> (matrix: MountMatrix, isMirrored: Bool) {
        let matrix = MountMatrix(unchecked: try elements(parsing: text))
        if try matrix.isRotation() { return (matrix, false) }
        // The elements are subtracted from 0, because negation would give -0, which would be displayed with its sign.
        return (MountMatrix(unchecked: matrix.elements.map { 0 - $0 }), true)
    }

    private static func elements(parsing text: String) throws(MountMatrixError) -> [Double] {
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
        return elements
    }

    private init(unchecked elements: [Double]) { self.elements = elements }

    /// Tolerance of orthonormality. Hardware databases have seven digits, and kernels have six.
    private static let tolerance = 1e-3

    /// rotationBodyFromSensor as a matrix.
    var matrix: Matrix<3, 3> {
        Matrix(
            Vector3(elements[0], elements[1], elements[2]), Vector3(elements[3], elements[4], elements[5]),
            Vector3(elements[6], elements[7], elements[8]))
    }
}

extension MountMatrix: CustomStringConvertible {
    /// The kernel's notation.
    package var description: String {
        (0..<3).map { row in elements[(3 * row)..<(3 * row + 3)].map { "\($0)" }.joined(separator: ", ") }
            .joined(separator: "; ")
    }
}

package struct MountMatrixError: Error, Hashable, CustomStringConvertible {
    package var reason: String

    package var description: String { "mount matrix refused: \(reason)" }
}
