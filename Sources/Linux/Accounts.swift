import Glibc

/// Users and groups of the system by name.
public enum Accounts {
    /// The user's number; `name` may be a number itself. Nil if there is none of that name.
    public static func user(named name: String) -> UInt32? {
        if let number = UInt32(name) { return number }
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withBuffer { getpwnam_r(name, &entry, $0, $1, &found) } && found != nil ? entry.pw_uid : nil
    }

    /// The group's number; `name` may be a number itself. Nil if there is none of that name.
    public static func group(named name: String) -> UInt32? {
        if let number = UInt32(name) { return number }
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        return withBuffer { getgrnam_r(name, &entry, $0, $1, &found) } && found != nil ? entry.gr_gid : nil
    }

    /// The lookups want a buffer for an entry's strings and say when it is too small; true once one has worked.
    private static func withBuffer(_ lookUp: (UnsafeMutablePointer<CChar>, Int) -> Int32) -> Bool {
        var size = 4096
        while size <= 1 << 22 {
            let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
            defer { buffer.deallocate() }
            let result = lookUp(buffer, size)
            if result == 0 { return true }
            guard result == ERANGE || result == EINTR else { return false }
            size *= 4
        }
        return false
    }
}
