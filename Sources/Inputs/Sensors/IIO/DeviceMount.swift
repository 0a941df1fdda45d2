import Geometry

/// Mount matrix and sign of a sensor, with the matrix's origin, a warning if one was rejected, and a note.
struct DeviceMount {
    var matrix: MountMatrix
    /// Origin as reported: `configuration`, `device`, `udev`, `sibling` or `none`.
    var origin: String
    /// Reason why a matrix was rejected; nil if none was.
    var warning: String?
    /// -1 for a sensor that reports the opposite of the measured quantity, else 1.
    var sign = 1
    /// Whether the origin's matrix is a mirror image. If so, `matrix` is its negative.
    var isMirrored = false

    /// Matrix and sign combined: body = signed matrix · sensor.
    var signedMatrix: Matrix<3, 3> { Double(sign) * matrix.matrix }

    /// Note to the user about a matrix in use.
    var note: String? {
        isMirrored
            ? "udev's mount matrix is a mirror image, made for the opposite of specific force: its opposite is used"
            : nil
    }

    private static let none = DeviceMount(matrix: .identity, origin: "none", warning: nil)

    /// Finds the matrix from the configuration, or else from the kernel, or else from udev, or else from the chip's
    /// other sensor; otherwise uses the identity. If a matrix is not a rotation, it is rejected with a warning and
    /// replaced by the identity, because a less specific source would hide the fault.
    ///
    /// The kernel takes precedence over udev, because a device tree describes this board, for all sensors of a chip, in
    /// the kernel's convention and as a rotation. Udev's hardware database covers accelerometers only, by chip and
    /// machine. Its matrices were made and tested for screen rotation, which reveals errors in only two of three axes.
    /// If the kernel reports the identity, udev's matrix is better, because drivers without a matrix also report the
    /// identity (`iio_read_mount_matrix`).
    static func find(_ device: IIODevice, kind: SensorKind, settings: IIOSettings) -> DeviceMount {
        var mount =
            own(device, kind, settings) ?? inherited(by: device, kind, settings) ?? kernel(device, kind) ?? none
        mount.sign = settings.signs[kind] ?? 1
        return mount
    }

    /// Matrix that was specified for this very sensor; nil if there is none, or if a driver reports only the identity.
    private static func own(_ device: IIODevice, _ kind: SensorKind, _ settings: IIOSettings) -> DeviceMount? {
        if let matrix = settings.mountMatrices[kind] { return DeviceMount(matrix: matrix, origin: "configuration") }
        if let mount = kernel(device, kind), mount.warning != nil || mount.matrix != .identity { return mount }
        guard settings.isLocal, kind.sibling != nil,
            let text = UdevProperty.read("ACCEL_MOUNT_MATRIX", ofIIODevice: device.identifier)
        else { return nil }
        return database(text)
    }

    /// Matrix of the chip's other inertial sensor, if it has one, because some drivers assign it only to the
    /// accelerometer.
    ///
    /// A magnetometer neither inherits nor passes on a matrix. Behind a sensor hub it is another chip. In a common
    /// package it is another die, often rotated relative to the die of the inertial sensors.
    private static func inherited(
        by device: IIODevice, _ kind: SensorKind, _ settings: IIOSettings
    ) -> DeviceMount? {
        guard let other = kind.sibling, let source = ChipSiblings.device(with: other, of: device, settings),
            // The configured matrix of a kind applies only to the device that the settings permit for it.
            settings.mountMatrices[other] == nil || settings.permits(DeviceSummary(source), for: other),
            var mount = own(source, other, settings), mount.warning == nil
        else { return nil }
        mount.origin = "sibling"
        return mount
    }

    private static func database(_ text: String) -> DeviceMount {
        do {
            let (matrix, isMirrored) = try MountMatrix.inDatabase(text)
            return DeviceMount(matrix: matrix, origin: "udev", isMirrored: isMirrored)
        } catch {
            return DeviceMount(matrix: .identity, origin: "none", warning: "\(error) (udev)")
        }
    }

    /// Matrix that the driver reports; nil if it reports none.
    private static func kernel(_ device: IIODevice, _ kind: SensorKind) -> DeviceMount? {
        guard let text = texts(device, kind).first(where: { !trimmed($0).isEmpty }) else { return nil }
        do {
            return DeviceMount(matrix: try MountMatrix(parsing: text), origin: "device")
        } catch {
            return DeviceMount(matrix: .identity, origin: "none", warning: "\(error) (device)")
        }
    }

    /// Matrices that the driver reports: first the matrix of the kind, then that of the whole device. libiio 0.24
    /// parses `in_mount_matrix` as an attribute `matrix` of a channel `mount`.
    private static func texts(_ device: IIODevice, _ kind: SensorKind) -> [String] {
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

extension SensorKind {
    /// The other inertial sensor; nil for sensors that are not inertial.
    fileprivate var sibling: SensorKind? {
        switch self {
        case .accelerometer: .gyroscope
        case .gyroscope: .accelerometer
        case .magnetometer, .barometer: nil
        }
    }
}
