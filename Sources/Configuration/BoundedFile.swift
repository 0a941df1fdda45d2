import Glibc

/// Reading of configuration files: whole regular files of limited size.
enum BoundedFile {
    /// Size limit of a file in bytes.
    static let limit = 1 << 20

    /// Reason why a file or directory was not read.
    struct Failure: Error {
        /// The value of `errno`; 0 if the file itself is not acceptable.
        var code: Int32
        var text: String

        var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    }

    /// Reads a file, which may be at most `limit` bytes long.
    static func read(_ path: String) throws(Failure) -> [UInt8] {
        // Without O_NONBLOCK, opening a FIFO would block until it has a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure("cannot be read") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("cannot be read") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(code: 0, text: "is not a regular file") }
        // One byte more than permitted, to detect a file that grows while it is read.
        var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), limit) + 1)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + count, $0.count - count) }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw failure("cannot be read") }
            if got == 0 { break }
            count += got
        }
        guard count <= limit else { throw Failure(code: 0, text: "is larger than 1 MiB") }
        guard count < bytes.count else { throw Failure(code: 0, text: "changed while it was read; try again") }
        return Array(bytes[..<count])
    }

    /// Names of the visible files in `directory` that end in `.toml`, sorted by bytes.
    static func tomlFiles(in directory: String) throws(Failure) -> [String] {
        guard let stream = opendir(directory) else { throw failure("cannot be listed") }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".toml") && !name.hasPrefix(".") { names.append(name) }
        }
        guard errno == 0 else { throw failure("cannot be listed") }
        return names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    }

    private static func failure(_ what: String) -> Failure {
        let code = errno
        return Failure(code: code, text: "\(what): \(String(cString: strerror(code)))")
    }
}
