import Glibc

/// A folder of one's own, for a test or a benchmark; it goes, with all that is in it, when it is let go of.
///
/// Its path is short: one of a socket has room for 107 bytes.
public final class ScratchFolder: Sendable {
    public let path: String

    public init() {
        // The tail is what mkdtemp replaces to make the name its own.
        var name = Array(("/tmp/waymark-" + String(repeating: "X", count: 6)).utf8CString)
        guard let made = mkdtemp(&name) else { preconditionFailure("no folder can be made in /tmp") }
        path = String(cString: made)
    }

    deinit { ScratchFolder.remove(path) }

    private static func remove(_ folder: String) {
        guard let directory = opendir(folder) else { return }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            let path = "\(folder)/\(name)"
            if unlink(path) != 0 { remove(path) }
        }
        closedir(directory)
        rmdir(folder)
    }
}
