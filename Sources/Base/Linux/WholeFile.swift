import Glibc

/// A small file that is only replaced atomically, so that its content is complete even after a loss of power.
public struct WholeFile: Hashable, Sendable {
    package let path: String

    /// Refers to a file, without touching it.
    public init(path: String) { self.path = path }

    /// Temporary path of the new content. It is renamed to `path` once the content is on the disk.
    private var newPath: String { path + ".new" }
    /// Path to which an unreadable file is moved, for later inspection.
    public var damagedPath: String { path + ".damaged" }

    /// Reason why the file could not be read.
    public struct Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
        /// The system's message, or the unexpected type of the file.
        public let description: String
    }

    /// Reads the file; nil if it does not exist. Reads up to one byte more than `maximumLength`, so that the caller can
    /// detect an oversized file.
    public func read(maximumLength: Int) throws(Unreadable) -> [UInt8]? {
        do throws(FileError) {
            // Opening a FIFO would block until it has a writer.
            let status = try File.status(of: path)
            if status.isRegular {
                let length = Int(clamping: status.size)
                return try File.openForReading(path).read(atMost: min(maximumLength, length) + 1)
            }
        } catch {
            if error.isMissing { return nil }
            throw Unreadable(description: error.description)
        }
        throw Unreadable(description: "not a regular file")
    }

    /// Replaces the content atomically. A reader finds either the old or the new content, even after a loss of power.
    public func replace(with bytes: [UInt8]) throws(FileError) {
        File.makeDirectory(of: path, mode: 0o700)
        // A loss of power may have left this file.
        File.remove(newPath)
        do throws(FileError) {
            // The content reveals the wearer's position, so only the owner may read it.
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

    /// Removes the file; does nothing if there is none.
    public func remove() throws(FileError) {
        guard unlink(path) == 0 else {
            let error = FileError.last
            if error.isMissing { return }
            throw error
        }
        try File.synchronizeDirectory(of: path)
    }

    package func setAside() throws(FileError) { try File.rename(path, to: damagedPath) }
}
