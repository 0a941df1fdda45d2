import Glibc
import Linux
import Testing

@Suite("Pseudo terminal")
struct PseudoTerminalTests {
    private func path() -> String { "/tmp/waymark-terminal-\(getpid())-\(UInt32.random(in: 0 ... .max))" }

    @Test("A reader of the link gets raw bytes, and is noticed as long as it reads")
    func reading() throws {
        let path = path()
        let terminal = try PseudoTerminal(path: path, group: nil)
        #expect(!terminal.hasReader)
        let reader = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
        try #require(reader >= 0)
        #expect(terminal.hasReader)
        terminal.send(Array("$INHDT,1.0,T*00\r\n".utf8))
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(reader, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "$INHDT,1.0,T*00\r\n")
        close(reader)
        #expect(!terminal.hasReader)
        terminal.close()
        #expect(access(path, F_OK) != 0)
    }

    @Test("A reader that stops reading misses whole messages and blocks nothing")
    func stuck() throws {
        let terminal = try PseudoTerminal(path: path(), group: nil)
        let reader = open(terminal.path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
        defer { close(reader) }
        let message = [UInt8](repeating: UInt8(ascii: "m"), count: 99) + [10]
        for _ in 0..<2000 { terminal.send(message) }
        var received: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<50 {
            while case let count = read(reader, &bytes, bytes.count), count > 0 { received += bytes.prefix(count) }
            terminal.send([UInt8(ascii: "e"), 10])
            usleep(1000)
        }
        let lines = received.split(separator: 10)
        #expect(lines.count < 2000 && lines.last?.count == 1)
        #expect(lines.dropLast().allSatisfy { $0.count == 99 || $0.count == 1 })
    }

    @Test("A link of an earlier run is replaced, and a file is not")
    func link() throws {
        let path = path()
        symlink("/dev/pts/9999", path)
        let terminal = try PseudoTerminal(path: path, group: nil)
        terminal.close()
        let file = open(path, O_CREAT | O_WRONLY, 0o600)
        close(file)
        defer { unlink(path) }
        #expect(throws: SystemError.self) { try PseudoTerminal(path: path, group: nil) }
        #expect(access(path, F_OK) == 0)
    }
}
