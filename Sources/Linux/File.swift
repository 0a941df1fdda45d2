import Glibc

/// An operation of the system that failed, with its reason.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// `errno`.
    public let code: Int32

    public init(code: Int32) { self.code = code }

    /// There is no such file.
    public var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// What was to be created is there already.
    public var isExisting: Bool { code == EEXIST }

    public static var last: FileError { FileError(code: errno) }

    public var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
            _ = strerror_r(code, room.baseAddress!, room.count)
            return String(cString: room.baseAddress!)
        }
    }
}

/// An open file; closed when it goes out of scope.
public struct File: ~Copyable, Sendable {
    public let descriptor: Int32

    /// Takes over an open descriptor.
    public init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    public static func openForReading(_ path: String) throws(FileError) -> File {
        try open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0)
    }

    /// Creates the file; one that is there already stays as it is and the call fails with EEXIST.
    public static func createNew(_ path: String, mode: mode_t) throws(FileError) -> File {
        try open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, mode)
    }

    /// Creates the file or empties the one that is there.
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

    /// Fills the buffer unless the file ends before; returns the count of bytes read.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = Glibc.read(descriptor, buffer.baseAddress! + filled, buffer.count - filled)
            if count == 0 { break }
            if count > 0 { filled += count } else if errno != EINTR { throw .last }
        }
        return filled
    }

    /// Writes all of the bytes, or throws with some of them written.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
            if count > 0 { written += count } else if count < 0 && errno != EINTR { throw .last }
        }
    }

    public func write(_ bytes: [UInt8]) throws(FileError) {
        try bytes.withUnsafeBufferPointer { bytes throws(FileError) in try write(UnsafeRawBufferPointer(bytes)) }
    }

    /// Brings the data to the disk; what cannot be synchronised, such as a pipe, is none the worse.
    public func synchronize() throws(FileError) {
        while fdatasync(descriptor) != 0 {
            if errno == EINVAL || errno == EROFS { return }
            guard errno == EINTR else { throw .last }
        }
    }

    /// Cuts the file to `size` bytes and goes on writing there.
    public func truncate(to size: Int64) throws(FileError) {
        while ftruncate(descriptor, off_t(size)) != 0 { guard errno == EINTR else { throw .last } }
        guard lseek(descriptor, off_t(size), SEEK_SET) == off_t(size) else { throw .last }
    }

    /// Goes on reading or writing at `offset`.
    public func seek(to offset: Int64) throws(FileError) {
        guard lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) else { throw .last }
    }

    /// Whether it was opened for writing, whoever opened it.
    public var isWritable: Bool {
        let flags = fcntl(descriptor, F_GETFL)
        return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY
    }

    /// Room on the file's own file system for whom it is kept, in bytes; nil where it does not tell.
    public var freeBytes: UInt64? {
        var information = statvfs()
        guard fstatvfs(descriptor, &information) == 0 else { return nil }
        let (bytes, overflow) = UInt64(information.f_bavail).multipliedReportingOverflow(
            by: UInt64(information.f_frsize))
        return overflow ? .max : bytes
    }

    public struct Status: Hashable, Sendable {
        public var isRegular: Bool
        public var isDirectory: Bool
        public var size: Int64
    }

    public func status() throws(FileError) -> Status {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw .last }
        return File.status(information)
    }

    /// Of what a path leads to.
    public static func status(of path: String) throws(FileError) -> Status {
        var information = stat()
        guard stat(path, &information) == 0 else { throw .last }
        return status(information)
    }

    private static func status(_ information: stat) -> Status {
        let kind = information.st_mode & S_IFMT
        return Status(isRegular: kind == S_IFREG, isDirectory: kind == S_IFDIR, size: Int64(information.st_size))
    }

    /// Takes a file's name away, if it is there.
    public static func remove(_ path: String) { unlink(path) }

    /// Gives the file another name, in the place of whatever has it; there is no instant at which neither is there.
    public static func rename(_ path: String, to other: String) throws(FileError) {
        guard Glibc.rename(path, other) == 0 else { throw .last }
    }

    /// Brings the name of a new file to the disk.
    public static func synchronizeDirectory(of path: String) throws(FileError) {
        let file = try open(directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard fsync(file.descriptor) == 0 || errno == EINVAL else { throw .last }
    }

    /// Makes the folder that a new file is to lie in; what keeps it from being made shows when the file is.
    public static func makeDirectory(of path: String, mode: mode_t) { mkdir(directory(of: path), mode) }

    private static func directory(of path: String) -> String {
        let end = path.lastIndex(of: "/")
        return end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }
}
