import Glibc

/// A local device, distinguished from other devices that had or will have the same number.
///
/// The kernel gives the number of a removed device to the next new one. Files opened by that number then belong to
/// another device, with other scales, and at first without access permission.
package struct KernelDevice {
    private let directory: String
    /// The directory's inode number, which sysfs does not soon reuse.
    private let inode: ino_t?

    /// The local device that currently has the number.
    ///
    /// - Parameter identifier: the kernel's identifier, such as `iio:device0`.
    package init(identifier: String, directory: String = "/sys/bus/iio/devices") {
        self.directory = "\(directory)/\(identifier)"
        inode = Self.inode(of: self.directory)
    }

    /// Whether the device is gone, even if another one has its number now.
    package var isGone: Bool { inode == nil || Self.inode(of: directory) != inode }

    /// Whether reading the device's buffer only copies what the kernel holds, because a trigger fills it. A driver that
    /// fills it by itself may use a queue in the chip, which a read empties over the bus. Not every such driver has the
    /// attribute `hwfifo_enabled`.
    package var readsFromMemory: Bool {
        access("\(directory)/trigger/current_trigger", F_OK) == 0
            && access("\(directory)/buffer/hwfifo_enabled", F_OK) != 0
    }

    private static func inode(of path: String) -> ino_t? {
        var information = stat()
        return stat(path, &information) == 0 ? information.st_ino : nil
    }
}
