import Glibc
import Linux

/// Files of the examined computer. Reads are bounded, because any file may be in place of the expected one.
struct Host: Sendable {
    /// Prefix of every path; empty except in tests.
    let root: String

    /// Environment variable in which tests name a folder that contains `sys`, `proc`, `dev` and so on of another
    /// computer.
    static let rootVariable = "WAYMARK_DOCTOR_ROOT"

    init() { root = getenv(Self.rootVariable).map { String(cString: $0) } ?? "" }

    /// Whether this is the real computer, whose devices can be opened.
    var isReal: Bool { root.isEmpty }

    func path(_ path: String) -> String { root + path }

    /// Maximum number of names, more than any relevant folder has.
    private static let maximumNameCount = 65_536

    /// Returns the names in a folder, in alphabetical order; empty if there is no such folder.
    func names(_ folder: String) -> [String] {
        let names = (try? File.names(in: path(folder))) ?? []
        return names.prefix(Self.maximumNameCount).sorted()
    }

    /// Returns the text of a small file without surrounding white space; nil if it cannot be read.
    func text(_ file: String, atMost limit: Int = 4096) -> String? {
        guard let bytes = bytes(file, atMost: limit) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return String(text.drop(while: \.isWhitespace).reversed().drop { $0.isWhitespace || $0 == "\0" }.reversed())
    }

    /// Returns the beginning of a file; nil if it cannot be read without blocking.
    func bytes(_ file: String, atMost limit: Int) -> [UInt8]? {
        // Reading anything but a regular file, such as a FIFO, might block.
        guard let status = try? File.status(of: path(file)), status.isRegular,
            let file = try? File.openForReading(path(file))
        else { return nil }
        return try? file.read(atMost: limit)
    }

    func exists(_ path: String) -> Bool { (try? File.status(of: self.path(path))) != nil }

    /// Returns the target of a symbolic link as written; nil if it is not a link.
    func link(_ path: String) -> String? {
        var room = [CChar](repeating: 0, count: 512)
        let count = readlink(self.path(path), &room, room.count)
        guard count > 0 else { return nil }
        return String(characters: room.prefix(count))
    }

    func permission(_ path: String) -> Permission? {
        var information = stat()
        guard stat(self.path(path), &information) == 0 else { return nil }
        return Permission(information)
    }
}

/// Runs another program for its output.
enum Subprocess {
    private static let maximumOutputSize = 65_536

    /// Returns the output of a program; nil if the program is not installed, fails, or does not end in time.
    static func output(of arguments: [String], timeoutSeconds: Double) -> String? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let output = File(owning: ends[0])
        let child = spawn(arguments, writingTo: ends[1])
        close(ends[1])
        guard let child else { return nil }
        let text = read(output.descriptor, until: BootClock.nanoseconds + Int64(timeoutSeconds * 1e9))
        if text == nil { kill(child, SIGKILL) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { return nil } }
        return status == 0 ? text : nil
    }

    private static func spawn(_ arguments: [String], writingTo descriptor: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        // The output is parsed, so it must not be in the user's language.
        var environment: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=\(path)"), strdup("LC_ALL=C"), nil]
        defer { for word in words + environment { free(word) } }
        var child = pid_t()
        return posix_spawnp(&child, arguments[0], &actions, nil, &words, &environment) == 0 ? child : nil
    }

    /// Reads up to the end of the output; nil if the end does not come in time, or if the output is too long.
    private static func read(_ descriptor: Int32, until deadline: Int64) -> String? {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= maximumOutputSize {
            let left = (deadline - BootClock.nanoseconds) / 1_000_000
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard left > 0 else { return nil }
            let ready = poll(&entry, 1, Int32(clamping: left))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            let count = Glibc.read(descriptor, &room, room.count)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            guard count > 0 else { return nil }
            bytes += room.prefix(count)
        }
        return nil
    }
}
