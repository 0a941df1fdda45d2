import CUdev
import Glibc
import Linux

/// Monitors added and removed devices, after udev's rules have run for them. Not thread-safe: for use by the thread
/// that created it.
final class UdevMonitor {
    private let udev: OpaquePointer
    private let monitor: OpaquePointer

    /// Starts monitoring; nil if there is no udev, as in a container. Devices are then found by a periodic search
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

/// Waits for udev's rules to grant access to a device that has just appeared.
///
/// The kernel presents a device before the rules have run for it. A setup in that interval fails to open the buffer or,
/// worse, fails only to set the rate or the clock of the timestamps.
struct UdevPermission {
    /// Time limit for the wait once udev is idle. Afterwards the setup's own error reports the missing permission. A
    /// busy board takes seconds at boot; 15 s were observed.
    private static let patienceNanoseconds: Int64 = 60_000_000_000
    private static let pauseSeconds = 0.05

    private let deadline = BootClock.nanoseconds + Self.patienceNanoseconds

    /// Time after which the wait is reported. The rules take less than that on an idle board.
    private static let quietNanoseconds: Int64 = 2_000_000_000

    /// Returns when access is granted, the device is gone, the stop flag is set, or the time limit has passed.
    func wait(for device: IIODevice, stop: StopFlag, status: DeviceStatus) {
        // The rule grants access to this file last.
        let path = "/sys/bus/iio/devices/\(device.identifier)/buffer/enable"
        let quietEnd = BootClock.nanoseconds + Self.quietNanoseconds
        var isReported = false
        while access(path, W_OK) != 0, errno == EACCES, !isOver, !stop.isSet {
            if !isReported, BootClock.nanoseconds > quietEnd {
                // This changes only the report, because the journal already has lines for losing and finding a device.
                _ = status.change(.searching, "no permission for the buffer yet: waiting for the udev rules")
                isReported = true
            }
            stop.wait(seconds: Self.pauseSeconds)
        }
    }

    private var isOver: Bool { BootClock.nanoseconds >= deadline && !UdevQueue.hasEvents }
}

/// Reports whether udev has unfinished events, whose rules may still run.
enum UdevQueue {
    static var hasEvents: Bool {
        guard let udev = udev_new() else { return false }
        defer { udev_unref(udev) }
        guard let queue = udev_queue_new(udev) else { return false }
        defer { udev_queue_unref(queue) }
        return udev_queue_get_queue_is_empty(queue) == 0
    }
}
