/// One output of the bridge: a protocol with its clients.
package protocol BridgeOutput: AnyObject {
    /// What it serves and where, for the log: "gpsd's clients at 127.0.0.1:2948".
    var description: String { get }
    /// Ends it: peers are disconnected, and what it made in the file system is removed.
    func close()
}
