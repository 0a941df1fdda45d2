import CUdev
import Linux

/// Monitor of added and removed devices, after udev's rules have run for them. Not thread-safe: for use by the thread
/// that created it.
final class UdevMonitor {
    private let udev: OpaquePointer
    private let monitor: OpaquePointer

    /// Starts monitoring; nil if there is no udev, as in a container, where devices are found by periodic search
    /// instead.
    init?(subsystem: String) {
        guard let udev = udev_new() else { return nil }
        guard let monitor = udev_monitor_new_from_netlink(udev, "udev") else {
            udev_unref(udev)
            return nil
        }
        self.udev = udev
        self.monitor = monitor
        if udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil) < 0
            || udev_monitor_enable_receiving(monitor) < 0
        {
            return nil
        }
    }

    deinit {
        udev_monitor_unref(monitor)
        udev_unref(udev)
    }

    /// Readable when an event is pending.
    var descriptor: Int32 { udev_monitor_get_fd(monitor) }

    /// Next event, such as `("remove", "iio:device0")`; nil if none is pending.
    func receive() -> (action: String, name: String)? {
        guard let device = udev_monitor_receive_device(monitor) else { return nil }
        defer { udev_device_unref(device) }
        let action = udev_device_get_action(device).map { String(cString: $0) } ?? ""
        let name = udev_device_get_sysname(device).map { String(cString: $0) } ?? ""
        return (action, name)
    }
}

/// Properties of local devices in udev's database.
enum UdevProperty {
    static func read(_ property: String, ofIIODevice identifier: String) -> String? {
        guard let udev = udev_new() else { return nil }
        defer { udev_unref(udev) }
        guard let device = udev_device_new_from_subsystem_sysname(udev, "iio", identifier) else { return nil }
        defer { udev_device_unref(device) }
        return udev_device_get_property_value(device, property).map { String(cString: $0) }
    }
}
