import Configuration
import Glibc
import Linux

/// Folders of a demonstration: one for its state, and one for its socket. Each run makes a new folder for the state,
/// unless a service manager or a script names a folder. A named folder holds the socket, too. If the user names a path
/// for the socket, that path is used instead.
///
/// The state (places, route, calibrations, the daemon's own recordings) is simulated, so another run, or a
/// demonstration that runs at the same time, begins without it.
struct DemonstrationState {
    /// Settings of the demonstration in these folders.
    let configuration: Configuration
    /// Folder of the state, which is removed at the end; nil for a named folder, which is kept.
    private let temporary: TemporaryFolder?

    private static let prefix = "waymark-demo-"
    /// Environment variable in which a service manager or a script names a folder.
    private static let given = "STATE_DIRECTORY"
    /// Environment variables that name folders for temporary files, the most private folder first.
    private static let places = ["XDG_RUNTIME_DIR", "TMPDIR"]

    /// Makes the folders.
    ///
    /// - Parameter socket: path of the socket; nil to choose one.
    init(socket: String?) throws(SystemError) {
        let given = Self.folder(Self.given)
        let temporary = given == nil ? try Self.makeTemporary() : nil
        do throws(SystemError) {
            // If the user names the socket, the user is responsible for its folder, and `present` is not used.
            let present = socket.map { _ in "/tmp" } ?? given
            let socketFolder = if let present { present } else { try Self.makeSocketFolder() }
            configuration = .demonstration(
                socketFolder: socketFolder, state: given ?? temporary?.path ?? "/tmp")
        } catch {
            temporary?.remove()
            throw error
        }
        self.temporary = temporary
    }

    /// Removes the folder of the state if it was made here.
    func remove() { temporary?.remove() }

    private static func makeTemporary() throws(SystemError) -> TemporaryFolder {
        let places = places.compactMap(folder) + ["/tmp"]
        for place in places { TemporaryFolder.removeAbandoned(in: place, prefix: prefix) }
        var code = ENOENT
        for place in places {
            do throws(SystemError) {
                return try TemporaryFolder(in: place, prefix: prefix)
            } catch {
                code = error.code
            }
        }
        throw SystemError("make a temporary folder in /tmp: set TMPDIR to a folder that is writable", code: code)
    }

    /// Makes the folder in which clients look for a demonstration. It is never removed, because another demonstration
    /// may have checked it and be about to make its socket there. After a removal, another user could make a folder
    /// with the same name.
    private static func makeSocketFolder() throws(SystemError) -> String {
        let path = UserFolder.path
        mkdir(path, 0o700)
        guard UserFolder.isPrivate(path) else {
            throw SystemError(
                "use \(path), which is not this user's alone: remove it, or set XDG_RUNTIME_DIR", code: EPERM)
        }
        return path
    }

    /// Returns the absolute path in an environment variable; nil if the variable is not set, or has another value.
    private static func folder(_ variable: String) -> String? {
        guard let value = getenv(variable), value.pointee == UInt8(ascii: "/") else { return nil }
        return String(cString: value)
    }
}
