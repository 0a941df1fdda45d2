import Geometry

/// Mount matrix and sign of a sensor with the matrix's origin, and a warning if one was rejected.
struct DeviceMount {
    var matrix: MountMatrix
    /// Origin as reported: `udev`, `device`, `configuration` or `none`.
    var origin: String
    var warning: String?
    /// -1 for a sensor that reports the opposite of what it measures, else 1.
    var sign = 1

    /// Both as one: body = signed matrix · sensor.
    var signedMatrix: Matrix<3, 3> { Double(sign) * matrix.matrix }

    /// Finds the configured matrix, else udev's (board-specific quirks), else the driver's, else the identity. A matrix
    /// that is not a rotation is rejected with a warning and replaced by the identity, not by a less specific source:
    /// that would hide the fault.
    static func find(_ device: IIODevice, kind: SensorKind, settings: IIOSettings) -> DeviceMount {
        var mount = matrix(of: device, kind: kind, settings: settings)
        mount.sign = settings.signs[kind] ?? 1
        return mount
    }

    private static func matrix(of device: IIODevice, kind: SensorKind, settings: IIOSettings) -> DeviceMount {
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
