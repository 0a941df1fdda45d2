import Glibc
import Options

/// Where the daemon listens: `--socket`, else WAYMARK_SOCKET, else the system's place.
enum DaemonSocket {
    static let standardPath = "/run/waymark/waymark.sock"

    static let option = Option.text(
        "socket", value: "PATH", help: "The daemon's socket (default: $WAYMARK_SOCKET or \(standardPath))")

    /// Makes `path` hold for this run, over what the environment says.
    static func choose(_ path: String) { setenv("WAYMARK_SOCKET", path, 1) }

    static var path: String {
        guard let value = getenv("WAYMARK_SOCKET"), value.pointee != 0 else { return standardPath }
        return String(cString: value)
    }
}
