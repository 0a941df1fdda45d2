import CLinux
import Glibc

/// A small file of a program's own that is replaced as a whole: always complete, whenever the power goes.
public struct WholeFile: Hashable, Sendable {
    public let path: String

    public init(path: String) { self.path = path }

    /// Where a new one is written before it takes the other's place.
    private var newPath: String { path + ".new" }
    /// Where one that cannot be read is kept for whoever wants to look.
    public var damagedPath: String { path + ".damaged" }

    /// Why there are no bytes to read.
    public struct Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// All of it, or its first `longest` bytes and one more, which shows one that is too long; nil where there is none.
    public func read(longest: Int) throws(Unreadable) -> [UInt8]? {
        do throws(FileError) {
            // Opening a FIFO would wait for whoever writes into it.
            let status = try File.status(of: path)
            if status.isRegular {
                let length = Int(clamping: status.size)
                return try File.openForReading(path).read(atMost: min(longest, length) + 1)
            }
        } catch {
            if error.isMissing { return nil }
            throw Unreadable(description: error.description)
        }
        throw Unreadable(description: "not a regular file")
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

    /// Takes it away; one that is not there is none the worse.
    public func remove() throws(FileError) {
        guard unlink(path) == 0 else {
            let error = FileError.last
            if error.isMissing { return }
            throw error
        }
        try File.synchronizeDirectory(of: path)
    }

    /// Takes one that cannot be read out of the way.
    public func setAside() throws(FileError) { try File.rename(path, to: damagedPath) }
}

extension File {
    /// A file that is only in memory, and gone with its last descriptor.
    ///
    /// - Parameter name: for those who look at the process; two may have the same.
    public static func inMemory(_ name: String) throws(FileError) -> File {
        let descriptor = waymark_memory_file(name)
        guard descriptor >= 0 else { throw FileError(code: -descriptor) }
        return File(owning: descriptor)
    }

    /// A file without a name on the disk of a folder, to write and to read; gone with its last descriptor.
    ///
    /// - Throws: also where the file system has no such files.
    public static func nameless(in folder: String) throws(FileError) -> File {
        let descriptor = waymark_nameless_file(folder)
        guard descriptor >= 0 else { throw FileError(code: -descriptor) }
        return File(owning: descriptor)
    }

    /// What is left of the file, or its first bytes.
    public func read(atMost count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = try bytes.withUnsafeMutableBufferPointer { room throws(FileError) in
            try self.read(into: UnsafeMutableRawBufferPointer(room))
        }
        bytes.removeLast(count - read)
        return bytes
    }
}
