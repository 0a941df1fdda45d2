import Glibc

/// Lookup of users and groups in the system's account databases (NSS).
public enum Accounts {
    /// User ID of `name`, which may also be a decimal ID; nil if there is no such account.
    public static func user(named name: String) -> UInt32? {
        if let number = UInt32(name) { return number }
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withBuffer { getpwnam_r(name, &entry, $0, $1, &found) } && found != nil ? entry.pw_uid : nil
    }

    /// Group ID of `name`, which may also be a decimal ID; nil if there is no such group.
    public static func group(named name: String) -> UInt32? {
        if let number = UInt32(name) { return number }
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        return withBuffer { getgrnam_r(name, &entry, $0, $1, &found) } && found != nil ? entry.gr_gid : nil
    }

    /// Runs a reentrant lookup with a growing buffer for the entry's strings; true if it succeeded. The lookup fails
    /// with ERANGE while the buffer is too small.
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
