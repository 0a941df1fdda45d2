import Glibc
import Linux

/// A document whose path is an operand of a command; `-` is standard input.
final class InputFile {
    /// Path for messages: as given, or "standard input".
    let path: String
    /// Name of the file without its folders.
    let name: String
    /// Size in bytes; nil for a pipe, for example, which has none.
    let size: Int?
    private let file: File

    /// Descriptor, which is valid as long as this object lives.
    var descriptor: Int32 { file.descriptor }

    /// - Parameter path: `-` is standard input.
    init(_ path: String) throws(CommandError) {
        self.path = path == "-" ? "standard input" : path
        name = self.path.lastPathPart ?? path
        do throws(FileError) {
            let file = try path == "-" ? Self.standardInput() : File.openForReading(path)
            let status = try file.status()
            guard !status.isDirectory else { throw FileError(code: EISDIR) }
            size = status.isRegular ? Int(clamping: status.size) : nil
            self.file = file
        } catch {
            throw .failed("\(self.path) cannot be read: \(error)")
        }
    }

    /// Reads the whole content.
    ///
    /// - Parameters:
    ///   - maximumLength: maximum number of bytes.
    ///   - kind: kind of document, for messages.
    func allBytes(maximumLength: Int, kind: String) throws(CommandError) -> [UInt8] {
        if let bytes = try pipedBytes(maximumLength: maximumLength, kind: kind) { return bytes }
        do throws(FileError) {
            return try file.read(atMost: maximumLength)
        } catch {
            throw .failed("\(path) cannot be read: \(error)")
        }
    }

    /// Reads the content of a pipe; nil for a regular file, which is read through its descriptor, for example by the
    /// daemon.
    ///
    /// - Parameters:
    ///   - maximumLength: maximum number of bytes, also of a regular file.
    ///   - kind: kind of document, for messages.
    func pipedBytes(maximumLength: Int, kind: String) throws(CommandError) -> [UInt8]? {
        let bytes: [UInt8]?
        do throws(FileError) {
            bytes = size == nil ? try file.read(atMost: maximumLength + 1) : nil
        } catch {
            throw .failed("\(path) cannot be read: \(error)")
        }
        guard bytes?.count ?? size ?? 0 <= maximumLength else {
            throw .failed("\(path) cannot be read: larger than the limit of \(maximumLength >> 20) MiB for a \(kind)")
        }
        return bytes
    }

    private static func standardInput() throws(FileError) -> File {
        let descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .last }
        return File(owning: descriptor)
    }
}

/// A file created by a command, which never overwrites an existing one.
enum NewFile {
    /// Refuses an existing file before any work is done, so that the command fails early; `-` is standard output.
    ///
    /// - Parameter hint: addition to the advice to choose another name.
    static func refuse(existing path: String, hint: String = "") throws(CommandError) {
        guard path == "-" || (try? File.status(of: path)) == nil else { throw exists(path, hint) }
    }

    /// Creates an empty file for a track, readable by the owner only, since a track contains positions.
    static func create(_ path: String) throws(CommandError) -> File {
        do throws(FileError) {
            return try File.createNew(path, mode: 0o600)
        } catch {
            throw error.isExisting ? exists(path) : .failed("cannot write \(path): \(error)")
        }
    }

    /// - Parameter path: `-` is standard output.
    static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o666, hint: String = "") throws {
        guard path != "-" else { return try Terminal.print(String(decoding: bytes, as: UTF8.self)) }
        do throws(FileError) {
            let file = try File.createNew(path, mode: mode)
            do throws(FileError) {
                try file.write(bytes)
            } catch {
                File.remove(path)
                throw error
            }
        } catch {
            throw error.isExisting ? exists(path, hint) : CommandError.failed("cannot write \(path): \(error)")
        }
    }

    /// Creates an empty file that the daemon writes; returns its descriptor, which the caller closes.
    static func createForDaemon(_ path: String, _ access: Int32, mode: mode_t) throws(CommandError) -> Int32 {
        let file = open(path, O_CREAT | O_EXCL | access | O_CLOEXEC, mode)
        guard file >= 0 else {
            let hint = errno == EEXIST ? "; choose another name, or remove it" : ""
            throw .failed("cannot create \(path): \(String(cString: strerror(errno)))\(hint)")
        }
        return file
    }

    private static func exists(_ path: String, _ hint: String = "") -> CommandError {
        .failed("\(path) already exists: remove it, or choose another name\(hint)")
    }
}

extension String {
    /// Text of a C array of characters, up to its first zero.
    init(characters: some Sequence<CChar>) {
        self.init(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The last part of this path; nil for `/` and an empty path.
    var lastPathPart: String? { split(separator: "/").last.map(String.init) }

    /// Name of this recording: the last part of the path, without `.mcap`.
    var recordingName: String {
        let name = lastPathPart ?? "recording"
        return name.hasSuffix(".mcap") && name.utf8.count > 5 ? String(name.dropLast(5)) : name
    }
}
