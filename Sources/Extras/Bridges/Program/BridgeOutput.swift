/// One output of the bridge: a protocol with its clients.
package protocol BridgeOutput: AnyObject {
    /// Protocol and address, for the log: "gpsd's clients at 127.0.0.1:2948".
    var description: String { get }
    /// Ends the output: disconnects peers and removes its files.
    func close()
}
