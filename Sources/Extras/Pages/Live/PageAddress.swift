import Linux
import Web

/// Address at which the page is opened: that of the server, with the token that opens its WebSockets.
package struct PageAddress: Sendable, CustomStringConvertible {
    /// Address that is listened on, with its port.
    package let server: NetworkAddress
    /// Nil for a server that requires none.
    let token: AccessToken?

    /// Address of the page. Foxglove's is the same with `ws` in place of `http`.
    package var description: String { "http://\(server)/" + (token.map { "?token=\($0.text)" } ?? "") }

    /// Writes the address into a file that is readable by those who may connect to the daemon.
    ///
    /// - Parameters:
    ///   - path: in a folder of this process alone; an older file is replaced.
    ///   - socket: path of the daemon's socket, which is of their group. Where there is none yet, the file is of this
    ///     process's own group.
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
