import Glibc

/// Finds the devices of one chip, because some drivers register its accelerometer and its gyroscope separately.
package enum ChipSiblings {
    /// Finds the device that delivers a kind on the same chip, which may be the device itself; nil if there is no such
    /// device, or if there are several.
    static func device(with kind: SensorKind, of device: IIODevice, _ settings: IIOSettings) -> IIODevice? {
        if DeviceSummary(device).offers(kind) { return device }
        let isLocal = settings.isLocal
        let others = device.context.devices.filter { other in
            guard !other.isTrigger, other.identifier != device.identifier, DeviceSummary(other).offers(kind),
                haveOneChip(device.name, other.name)
            else { return false }
            return !isLocal || haveOneParent(device.identifier, other.identifier)
        }
        return others.count == 1 ? others[0] : nil
    }

    /// Whether two names are of one chip and differ only in the sensor, such as `lsm6dso_accel` and `lsm6dso_gyro`, or
    /// `icm42605-accel` and `icm42605-gyro`.
    package static func haveOneChip(_ a: String?, _ b: String?) -> Bool {
        guard let a = a.flatMap(chip), let b = b.flatMap(chip) else { return false }
        return a == b
    }

    private static let endings = ["_accel", "_gyro", "-accel", "-gyro"]

    /// Name without the sensor; nil if the name contains no sensor.
    private static func chip(_ name: String) -> Substring? {
        guard let ending = endings.first(where: name.hasSuffix), name.count > ending.count else { return nil }
        return name.dropLast(ending.count)
    }

    /// Whether two local devices have the same parent on a bus. Names alone do not suffice, because two chips of one
    /// type on one board have equal names.
    ///
    /// - Parameter folder: folder in sysfs with a link for each IIO device.
    package static func haveOneParent(_ a: String, _ b: String, in folder: String = "/sys/bus/iio/devices") -> Bool {
        guard let a = parent(of: "\(folder)/\(a)"), let b = parent(of: "\(folder)/\(b)") else { return false }
        return a == b
    }

    /// Path of the folder that contains the link's target.
    private static func parent(of link: String) -> String? {
        guard let resolved = realpath(link, nil) else { return nil }
        defer { free(resolved) }
        let path = String(cString: resolved)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
}
