import Foundation
import Glibc

/// Makes a folder read-only for a while: by a mount, or as a user other than root by its mode.
enum ReadOnlyFolder {
    /// Root may write wherever the file system permits it, and may lack the right to mount.
    static let isPossible =
        geteuid() != 0 || (try? Sample.inFolder { folder in mounted(folder) && umount2(folder, detach) == 0 }) == true

    private static let detach = Int32(MNT_DETACH)

    static func during<Value>(_ folder: String, _ body: () throws -> Value) throws -> Value {
        guard geteuid() == 0 else { return try forbidden(folder, body) }
        guard mounted(folder) else { throw POSIXError(.EPERM) }
        defer { _ = umount2(folder, detach) }
        return try body()
    }

    /// Mounts the folder on itself, read-only.
    private static func mounted(_ folder: String) -> Bool {
        let bind = UInt(MS_BIND)
        guard mount(folder, folder, nil, bind, nil) == 0 else { return false }
        return mount(nil, folder, nil, bind | UInt(MS_REMOUNT) | UInt(MS_RDONLY), nil) == 0
    }

    private static func forbidden<Value>(_ folder: String, _ body: () throws -> Value) throws -> Value {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).map { folder + "/" + $0 }
        for file in files { chmod(file, 0o400) }
        chmod(folder, 0o500)
        defer {
            chmod(folder, 0o700)
            for file in files { chmod(file, 0o600) }
        }
        return try body()
    }
}
