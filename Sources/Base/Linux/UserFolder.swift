import Glibc

/// Folder for sockets of this user's programs: $XDG_RUNTIME_DIR if it is a folder that only this user can access,
/// otherwise /tmp/waymark-UID.
public enum UserFolder {
    /// Path of the folder, which may not exist yet.
    public static var path: String {
        if let value = getenv("XDG_RUNTIME_DIR"), value.pointee == UInt8(ascii: "/") {
            let folder = String(cString: value)
            if isPrivate(folder) { return folder }
        }
        return "/tmp/waymark-\(geteuid())"
    }

    /// Whether a path is a folder of this user that is closed to all others. Follows no link: the name of the folder in
    /// /tmp can be predicted, and another user may have created it.
    public static func isPrivate(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0 && information.st_uid == geteuid()
            && information.st_mode & (S_IFMT | 0o077) == S_IFDIR
    }
}
