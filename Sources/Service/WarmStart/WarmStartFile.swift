import Linux
import Recording

/// The file in which a run leaves what it learned for the next: always whole, whenever the power goes.
public struct WarmStartFile: Hashable, Sendable {
    public let path: String

    public init(directory: String) { path = directory + "/warm-start.json" }

    /// Where a new one is written before it takes the other's place.
    private var newPath: String { path + ".new" }
    /// Where one that cannot be read is kept for whoever wants to look.
    public var damagedPath: String { path + ".damaged" }

    /// Why there are no bytes to read; nil stands for a file that is not there.
    public struct Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// All of it; nil where there is none.
    public func read() throws(Unreadable) -> [UInt8]? {
        do throws(FileError) {
            // Opening a FIFO would wait for whoever writes into it.
            if try File.status(of: path).isRegular { return try readRegular() }
        } catch {
            if error.isMissing { return nil }
            throw Unreadable(description: error.description)
        }
        throw Unreadable(description: "it is not a regular file")
    }

    private func readRegular() throws(FileError) -> [UInt8] {
        let file = try File.openForReading(path)
        // One byte more than allowed shows one that is too long.
        var bytes = [UInt8](repeating: 0, count: WarmStartMessage.longest + 1)
        let count = try bytes.withUnsafeMutableBufferPointer { room throws(FileError) in
            try file.read(into: UnsafeMutableRawBufferPointer(room))
        }
        return Array(bytes[..<count])
    }

    /// Puts `bytes` in the place of what was there; whoever reads meanwhile, or after a loss of power, finds the one or the
    /// other.
    public func replace(with bytes: [UInt8]) throws(FileError) {
        File.makeDirectory(of: path, mode: 0o750)
        // One that a loss of power left behind.
        File.remove(newPath)
        do throws(FileError) {
            // It tells where the wearer was: nobody else's business.
            let file = try File.createNew(newPath, mode: 0o600)
            try file.write(bytes)
            try file.synchronize()
        } catch {
            File.remove(newPath)
            throw error
        }
        try File.rename(newPath, to: path)
        try File.synchronizeDirectory(of: path)
    }

    /// Takes one that cannot be read out of the way.
    public func setAside() throws(FileError) { try File.rename(path, to: damagedPath) }
}
