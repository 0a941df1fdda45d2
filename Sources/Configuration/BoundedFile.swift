import Glibc

/// Files of the configuration as the system gives them: whole, regular, and no larger than a configuration can be.
enum BoundedFile {
    static let limit = 1 << 20

    struct Failure: Error {
        /// The system's number, 0 where the refusal is our own.
        var code: Int32
        var text: String

        var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    }

    static func read(_ path: String) throws(Failure) -> [UInt8] {
        // Without O_NONBLOCK a FIFO in the file's place would hold the daemon for ever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure("cannot be read") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("cannot be read") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(code: 0, text: "is not a regular file") }
        // One byte more than allowed, so that a file that grows meanwhile is refused as well.
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

    /// Names of the files in `directory` that end in `.toml` and are not hidden, sorted byte by byte.
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
