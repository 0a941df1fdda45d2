import Glibc
import Linux

/// State folder of a demonstration: a new one for each run, removed at its end, unless the starter named one.
///
/// What one demonstration keeps (places, route, calibrations, recordings of the daemon's own) is simulated: another
/// run, or another demonstration at the same time, begins without it.
struct DemonstrationState {
    let path: String
    private let isTemporary: Bool

    /// Variable by which a service manager or a script names a folder that stays.
    private static let given = "STATE_DIRECTORY"
    /// Folders for temporary files, the most private first.
    private static let places = ["XDG_RUNTIME_DIR", "TMPDIR"]

    init() throws(SystemError) {
        if let given = Self.folder(Self.given) {
            (path, isTemporary) = (given, false)
            return
        }
        for place in Self.places.compactMap(Self.folder) + ["/tmp"] {
            guard let made = Self.make(in: place) else { continue }
            (path, isTemporary) = (made, true)
            return
        }
        throw SystemError("make a temporary folder in /tmp: set TMPDIR to a folder that is writable", code: errno)
    }

    /// Removes the folder with all that is in it; one that was named stays.
    func remove() {
        guard isTemporary else { return }
        Self.remove(path)
    }

    /// Follows no link.
    private static func remove(_ path: String) {
        var information = stat()
        guard lstat(path, &information) == 0 else { return }
        guard information.st_mode & S_IFMT == S_IFDIR else { return File.remove(path) }
        for name in (try? File.names(in: path)) ?? [] { remove("\(path)/\(name)") }
        rmdir(path)
    }

    /// Folder of the socket unless `--socket` names it: that of the state where the starter named one, the user's
    /// runtime folder, or one in /tmp that is this user's alone.
    static func socketFolder() throws(SystemError) -> String {
        if let folder = folder(given) ?? folder("XDG_RUNTIME_DIR") { return folder }
        // A predictable name in /tmp: another user may have created it.
        let path = "/tmp/waymark-\(geteuid())"
        mkdir(path, 0o700)
        var information = stat()
        guard lstat(path, &information) == 0, information.st_uid == geteuid(), information.st_mode == S_IFDIR | 0o700
        else {
            throw SystemError(
                "use \(path), which is not this user's alone: remove it, or set XDG_RUNTIME_DIR", code: EPERM)
        }
        return path
    }

    /// Absolute path of a variable; nil where it has none.
    private static func folder(_ variable: String) -> String? {
        guard let value = getenv(variable), value.pointee == UInt8(ascii: "/") else { return nil }
        return String(cString: value)
    }

    /// A new folder that is this user's alone; nil where it cannot be made.
    private static func make(in folder: String) -> String? {
        var template = Array((folder + "/waymark-demo-XXXXXX").utf8CString)
        return mkdtemp(&template).map { String(cString: $0) }
    }
}
