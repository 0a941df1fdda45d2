import CUdev
import Linux

/// Where a device's mount matrix came from, and what was wrong with one that was refused.
struct DeviceMount {
    var matrix: MountMatrix
    /// `udev`, `device`, `configuration` or `none`, as reported.
    var origin: String
    var warning: String?

    /// The configured matrix, else udev's (a board's own quirks), else the driver's, else none; one that is no rotation
    /// is refused with a warning, and nothing is applied: a guess further down the list would hide the fault.
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

    /// The kind's own matrix before the whole device's. libiio 0.24 takes `in_mount_matrix` for an attribute `matrix`
    /// of a channel `mount`.
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

/// Properties that udev's database has for a local device.
enum UdevProperty {
    static func read(_ property: String, ofIIODevice identifier: String) -> String? {
        guard let udev = udev_new() else { return nil }
        defer { udev_unref(udev) }
        guard let device = udev_device_new_from_subsystem_sysname(udev, "iio", identifier) else { return nil }
        defer { udev_device_unref(device) }
        return udev_device_get_property_value(device, property).map { String(cString: $0) }
    }
}
