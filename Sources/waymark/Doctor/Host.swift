import Diagnosis
import Glibc
import Linux

/// The files of the computer that is looked at: what is read is bounded, for anything may stand in their place.
struct Host: Sendable {
    /// Put before every path; empty but in tests.
    let root: String

    /// Environment variable for tests: a folder with `sys`, `proc`, `dev` and so on of another computer.
    static let rootVariable = "WAYMARK_DOCTOR_ROOT"

    init() { root = getenv(Self.rootVariable).map { String(cString: $0) } ?? "" }

    /// Whether it is this computer, whose devices can be opened.
    var isReal: Bool { root.isEmpty }

    func path(_ path: String) -> String { root + path }

    /// More names than any folder of interest has.
    private static let mostNames = 65_536

    /// In the order of the alphabet; none where there is no such folder.
    func names(_ folder: String) -> [String] {
        let names = (try? File.names(in: path(folder))) ?? []
        return names.prefix(Self.mostNames).sorted()
    }

    /// The text of a small file without the blanks around it; nil where there is none that can be read.
    func text(_ file: String, atMost limit: Int = 4096) -> String? {
        guard let bytes = bytes(file, atMost: limit) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return String(text.drop(while: \.isWhitespace).reversed().drop { $0.isWhitespace || $0 == "\0" }.reversed())
    }

    /// The beginning of a file; nil where there is none that can be read without waiting.
    func bytes(_ file: String, atMost limit: Int) -> [UInt8]? {
        // What is no regular file, such as a FIFO, might make the reader wait.
        guard let status = try? File.status(of: path(file)), status.isRegular,
            let file = try? File.openForReading(path(file))
        else { return nil }
        return try? file.read(atMost: limit)
    }

    func exists(_ path: String) -> Bool { (try? File.status(of: self.path(path))) != nil }

    /// Where a symbolic link leads to, as it is written; nil for what is none.
    func link(_ path: String) -> String? {
        var room = [CChar](repeating: 0, count: 512)
        let count = readlink(self.path(path), &room, room.count)
        guard count > 0 else { return nil }
        return String(decoding: room.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func permission(_ path: String) -> Permission? {
        var information = stat()
        guard stat(self.path(path), &information) == 0 else { return nil }
        return Permission(
            owner: information.st_uid, group: information.st_gid, mode: information.st_mode & 0o7777)
    }
}
