import Glibc

/// Folder for sockets of this user's programs. It is $XDG_RUNTIME_DIR if only this user can access that folder, and
/// /tmp/waymark-UID otherwise.
public enum UserFolder {
    /// Path of the folder, which may not exist yet.
    public static var path: String {
        if let value = getenv("XDG_RUNTIME_DIR"), value.pointee == UInt8(ascii: "/") {
            let folder = String(cString: value)
            if isPrivate(folder) { return folder }
        }
        return "/tmp/waymark-\(geteuid())"
    }

    /// Whether a path is a folder of this user to which no one else has access. Follows no link, because the name of
    /// the folder in /tmp can be predicted, and another user may have created it.
    public static func isPrivate(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0 && information.st_uid == geteuid()
            && information.st_mode & (S_IFMT | 0o077) == S_IFDIR
    }
}
