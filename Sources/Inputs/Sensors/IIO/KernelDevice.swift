import Glibc

/// One of the devices that have the same number, one after the other.
///
/// The kernel gives the number of a device that went to the next one that comes. Files that are opened by that number
/// are then those of another device: with other scales, and at first without access to it.
public struct KernelDevice {
    private let directory: String
    /// The directory's inode number, which sysfs does not give again soon.
    private let inode: ino_t?

    /// The local device that has the number at present.
    ///
    /// - Parameter identifier: the kernel's, such as `iio:device0`.
    public init(identifier: String, directory: String = "/sys/bus/iio/devices") {
        self.directory = "\(directory)/\(identifier)"
        inode = Self.inode(of: self.directory)
    }

    /// Whether the device is gone, whether or not another one has its number now.
    public var isGone: Bool { inode == nil || Self.inode(of: directory) != inode }

    private static func inode(of path: String) -> ino_t? {
        var information = stat()
        return stat(path, &information) == 0 ? information.st_ino : nil
    }
}
