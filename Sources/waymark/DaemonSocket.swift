import Glibc
import Options

/// Where the daemon listens: `--socket`, else WAYMARK_SOCKET, else the system's place.
enum DaemonSocket {
    static let option = Option.text(
        "socket", value: "PATH", help: "Socket of the daemon (default: $WAYMARK_SOCKET or /run/waymark/waymark.sock)")

    /// Makes `path` hold for this run: the client library looks into the environment.
    static func choose(_ path: String) { setenv("WAYMARK_SOCKET", path, 1) }
}
