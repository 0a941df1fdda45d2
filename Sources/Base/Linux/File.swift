import CLinux
import Glibc

/// An open file, closed when the value goes out of scope.
public struct File: ~Copyable, Sendable {
    /// Number of the open descriptor; owned by this value.
    public let descriptor: Int32

    /// Takes ownership of an open descriptor.
    public init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Opens an existing file, close-on-exec.
    ///
    /// - Parameter waitsForWriter: whether opening a FIFO blocks until it has a writer.
    public static func openForReading(_ path: String, waitsForWriter: Bool = true) throws(FileError) -> File {
        try open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (waitsForWriter ? 0 : O_NONBLOCK), 0)
    }

    /// Opens an existing file to overwrite parts of it, close-on-exec.
    public static func openForChange(_ path: String) throws(FileError) -> File {
        try open(path, O_RDWR | O_CLOEXEC | O_NOCTTY, 0)
    }

    /// Creates a file for writing. If the file exists already, throws EEXIST and does not change the file.
    public static func createNew(_ path: String, mode: mode_t) throws(FileError) -> File {
        try open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, mode)
    }

    /// Opens a file for writing. Creates it if it is missing, and truncates it if it exists.
    public static func createOrReplace(_ path: String, mode: mode_t) throws(FileError) -> File {
        try open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, mode)
    }

    private static func open(_ path: String, _ flags: Int32, _ mode: mode_t) throws(FileError) -> File {
        while true {
            let descriptor = Glibc.open(path, flags, mode)
            if descriptor >= 0 { return File(owning: descriptor) }
            guard errno == EINTR else { throw .last }
        }
    }

    /// Reads until the buffer is full or the file ends; returns the number of bytes read.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = Glibc.read(descriptor, buffer.baseAddress! + filled, buffer.count - filled)
            if count == 0 { break }
            if count > 0 { filled += count } else if errno != EINTR { throw .last }
        }
        return filled
    }

    /// Writes all bytes. If it throws, some of them may have been written.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
            if count > 0 { written += count } else if count < 0 && errno != EINTR { throw .last }
        }
    }

    /// Writes all bytes. If it throws, some of them may have been written.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        try bytes.withUnsafeBufferPointer { bytes throws(FileError) in try write(UnsafeRawBufferPointer(bytes)) }
    }

    /// Flushes the data to the disk (fdatasync). Does nothing for a descriptor that cannot be synchronised, such as a
    /// pipe.
    public func synchronize() throws(FileError) {
        while fdatasync(descriptor) != 0 {
            if errno == EINVAL || errno == EROFS { return }
            guard errno == EINTR else { throw .last }
        }
    }

    /// Gives the file to a group of which this process is a member.
    public func give(to group: gid_t) throws(FileError) {
        guard fchown(descriptor, uid_t.max, group) == 0 else { throw .last }
    }

    /// Sets the file's permissions, regardless of the mask of this process.
    public func setMode(_ mode: mode_t) throws(FileError) {
        guard fchmod(descriptor, mode) == 0 else { throw .last }
    }

    /// Truncates the file to `size` bytes and moves the write position there.
    public func truncate(to size: Int64) throws(FileError) {
        while ftruncate(descriptor, off_t(size)) != 0 { guard errno == EINTR else { throw .last } }
        guard lseek(descriptor, off_t(size), SEEK_SET) == off_t(size) else { throw .last }
    }

    package func seek(to offset: Int64) throws(FileError) {
        guard lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) else { throw .last }
    }

    /// Whether the descriptor's access mode permits writing.
    public var isWritable: Bool {
        let flags = fcntl(descriptor, F_GETFL)
        return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY
    }

    /// Space on the file's file system that unprivileged users can use, in bytes; nil if it is not reported.
    public var freeBytes: UInt64? {
        var information = statvfs()
        guard fstatvfs(descriptor, &information) == 0 else { return nil }
        let (bytes, overflow) = UInt64(information.f_bavail).multipliedReportingOverflow(
            by: UInt64(information.f_frsize))
        return overflow ? .max : bytes
    }

    package struct Status: Hashable, Sendable {
        package var isRegular: Bool
        package var isDirectory: Bool
        /// Size in bytes, as `stat` reports it.
        public var size: Int64
        package var group: gid_t
    }

    package func status() throws(FileError) -> Status {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw .last }
        return File.status(information)
    }

    /// Type and size of the file at `path`, following symbolic links.
    package static func status(of path: String) throws(FileError) -> Status {
        var information = stat()
        guard stat(path, &information) == 0 else { throw .last }
        return status(information)
    }

    private static func status(_ information: stat) -> Status {
        let kind = information.st_mode & S_IFMT
        return Status(
            isRegular: kind == S_IFREG, isDirectory: kind == S_IFDIR, size: Int64(information.st_size),
            group: information.st_gid)
    }

    /// Error that a change of this file or folder would cause, such as EROFS on a read-only file system; nil if changes
    /// are permitted.
    public static func refusalOfChanges(_ path: String) -> FileError? { access(path, W_OK) == 0 ? nil : .last }

    /// Removes the directory entry; does nothing if it does not exist.
    public static func remove(_ path: String) { unlink(path) }

    /// Renames a file atomically, replacing any file that has the new name.
    public static func rename(_ path: String, to other: String) throws(FileError) {
        guard Glibc.rename(path, other) == 0 else { throw .last }
    }

    /// Flushes the directory entry of `path` to the disk, so that a new name survives a loss of power.
    public static func synchronizeDirectory(of path: String) throws(FileError) {
        let file = try open(directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard fsync(file.descriptor) == 0 || errno == EINVAL else { throw .last }
    }

    /// Creates the parent directory of `path`. Ignores errors, because creating the file reports them.
    public static func makeDirectory(of path: String, mode: mode_t) { mkdir(directory(of: path), mode) }

    /// Path of the folder that a file is in.
    public static func directory(of path: String) -> String {
        let end = path.lastIndex(of: "/")
        return end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }
}

extension File {
    /// Creates a file in memory (memfd), which is freed when its last descriptor is closed.
    ///
    /// - Parameter name: shown in /proc, for diagnosis; need not be unique.
    public static func inMemory(_ name: String) throws(FileError) -> File {
        let descriptor = waymark_memory_file(name)
        guard descriptor >= 0 else { throw FileError(code: -descriptor) }
        return File(owning: descriptor)
    }

    /// Creates an unnamed file (O_TMPFILE) on the file system of a directory. The file is freed when its last
    /// descriptor is closed.
    ///
    /// - Throws: for example if the file system does not support unnamed files.
    public static func nameless(in folder: String) throws(FileError) -> File {
        let descriptor = waymark_nameless_file(folder)
        guard descriptor >= 0 else { throw FileError(code: -descriptor) }
        return File(owning: descriptor)
    }

    /// Reads at most `count` bytes from the current position.
    public func read(atMost count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = try bytes.withUnsafeMutableBufferPointer { room throws(FileError) in
            try self.read(into: UnsafeMutableRawBufferPointer(room))
        }
        bytes.removeLast(count - read)
        return bytes
    }
}

extension File {
    /// Names of the entries of a directory in the order of the file system, without `.` and `..`.
    public static func names(in folder: String) throws(FileError) -> [String] {
        let listing = listing(of: folder)
        if let error = listing.error { throw error }
        return listing.names
    }

    /// Names of the entries of a directory in the same form, as far as they can be read.
    package struct Listing {
        package var names: [String] = []
        /// Error that ended the reading early; nil if all entries were read.
        package var error: FileError?

        package init(names: [String] = [], error: FileError? = nil) {
            self.names = names
            self.error = error
        }
    }

    package static func listing(of folder: String) -> Listing {
        guard let stream = opendir(folder) else { return Listing(error: .last) }
        defer { closedir(stream) }
        return listing(of: stream)
    }

    /// Lists the remaining entries of an open directory.
    package static func listing(of stream: OpaquePointer) -> Listing {
        var listing = Listing()
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { listing.error = .last }
                return listing
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { listing.names.append(name) }
        }
    }
}
