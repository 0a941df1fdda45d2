import Geometry
import Linux

/// Rotation from a sensor's axes to the body frame, in the notation of the kernel and udev: `0, 1, 0; -1, 0, 0; 0, 0,
/// 1`.
public struct MountMatrix: Hashable, Sendable {
    /// The nine elements, row by row.
    public let elements: [Double]

    /// Sensor axes equal to the body axes.
    public static let identity = MountMatrix(unchecked: [1, 0, 0, 0, 1, 0, 0, 0, 1])

    /// Checks and stores the elements.
    ///
    /// - Parameter elements: nine elements, row by row: body = matrix · sensor.
    /// - Throws: if it is not a rotation to within 1e-3; mirrored and singular matrices do occur in the field.
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

    /// Parses the kernel's notation.
    ///
    /// - Throws: if it is not three rows of three numbers, or not a rotation.
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

    /// Tolerance of orthonormality: hardware databases write seven digits, kernels six.
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
    public var description: String {
        (0..<3).map { row in elements[(3 * row)..<(3 * row + 3)].map { "\($0)" }.joined(separator: ", ") }
            .joined(separator: "; ")
    }
}

/// Error for an invalid mount matrix.
public struct MountMatrixError: Error, Hashable, CustomStringConvertible {
    /// What is wrong with it.
    public var reason: String

    /// Message with the reason.
    public var description: String { "mount matrix refused: \(reason)" }
}

/// Mount matrix of a device with its origin, and a warning if one was rejected.
struct DeviceMount {
    var matrix: MountMatrix
    /// Origin as reported: `udev`, `device`, `configuration` or `none`.
    var origin: String
    var warning: String?

    /// Finds the configured matrix, else udev's (board-specific quirks), else the driver's, else the identity. A matrix
    /// that is not a rotation is rejected with a warning and replaced by the identity, not by a less specific source:
    /// that would hide the fault.
    static func find(_ device: IIODevice, kind: SensorKind, settings: IIOSettings) -> DeviceMount {
        if let matrix = settings.mountMatrices[kind] {
            return DeviceMount(matrix: matrix, origin: "configuration", warning: nil)
        }
        if settings.contextURI.hasPrefix("local"), kind == .accelerometer || kind == .gyroscope,
            let text = UdevProperty.read("ACCEL_MOUNT_MATRIX", ofIIODevice: device.identifier)
        {
            return parse(text, origin: "udev")
        }
        for text in fromDevice(device, kind) where !trimmed(text).isEmpty { return parse(text, origin: "device") }
        return DeviceMount(matrix: .identity, origin: "none", warning: nil)
    }

    private static func parse(_ text: String, origin: String) -> DeviceMount {
        do {
            return DeviceMount(matrix: try MountMatrix(parsing: text), origin: origin, warning: nil)
        } catch {
            return DeviceMount(matrix: .identity, origin: "none", warning: "\(error) (\(origin))")
        }
    }

    /// Matrices that the driver reports, that of the kind before that of the whole device. libiio 0.24 parses
    /// `in_mount_matrix` as an attribute `matrix` of a channel `mount`.
    private static func fromDevice(_ device: IIODevice, _ kind: SensorKind) -> [String] {
        var texts: [String?] = []
        if let channel = device.channel(kind.channelNames[0]), channel.hasAttribute("mount_matrix") {
            texts.append(try? channel.read("mount_matrix"))
        }
        if let mount = device.channel("mount"), mount.hasAttribute("matrix") {
            texts.append(try? mount.read("matrix"))
        }
        for name in ["in_\(kind.prefix)_mount_matrix", "in_mount_matrix", "mount_matrix"]
        where device.hasAttribute(name) {
            texts.append(try? device.read(name))
        }
        return texts.compactMap { $0 }
    }
}
