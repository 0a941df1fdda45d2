import Linux
import Web

/// Address of the page: the server's address, with the token for its WebSockets.
package struct PageAddress: Sendable, CustomStringConvertible {
    /// Address at which the server listens, with its port.
    package let server: NetworkAddress
    /// Token; nil if the server requires none.
    let token: AccessToken?

    /// Address of the page. The address for Foxglove has `ws` instead of `http`.
    package var description: String { "http://\(server)/" + (token.map { "?token=\($0.text)" } ?? "") }

    /// Writes the address to a file that users may read if they may connect to the daemon.
    ///
    /// - Parameters:
    ///   - path: path in a folder that only this process uses; an older file is replaced.
    ///   - socket: path of the daemon's socket. The file gets the socket's group, or the process's own group if the
    ///     socket does not exist yet.
    package func write(to path: String, forReadersOf socket: String) throws(FileError) {
        let newPath = path + ".new"
        File.remove(newPath)
        let file = try File.createNew(newPath, mode: 0o600)
        if let group = try? File.status(of: socket).group, try file.status().group != group {
            do throws(FileError) {
                try file.give(to: group)
            } catch {
                Log.warning(
                    "\(path) cannot be given to the group of \(socket) (\(error)): its members cannot read it; set Group= "
                        + "of the unit to that group")
            }
        }
        try file.setMode(0o640)
        try file.write(Array("\(self)\n".utf8))
        try File.rename(newPath, to: path)
    }
}
