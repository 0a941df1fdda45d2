import Glibc
import Linux
import Commands
import TestTools
import Testing

@Suite("Lines of a pipe")
struct LineInputTests {
    /// Lines of what a file contains.
    private func lines(_ bytes: [UInt8]) throws -> [LineInput.Line] {
        let folder = ScratchFolder()
        let path = folder.path + "/lines"
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        #expect(bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == bytes.count)
        lseek(descriptor, 0, SEEK_SET)
        var input = LineInput(descriptor)
        var lines: [LineInput.Line] = []
        while let line = try input.next() { lines.append(line) }
        #expect(input.number == lines.count)
        return lines
    }

    @Test("have no ends, no byte order mark, and need no end at the end of the input")
    func plain() throws {
        #expect(try lines(Array("\u{FEFF}a,b\r\n\n1,2".utf8)) == [.text("a,b"), .text(""), .text("1,2")])
        #expect(try lines([]) == [])
        #expect(try lines(Array("a\n".utf8)) == [.text("a")])
        #expect(try lines([0xFF, 0x0A, 0x61]) == [.notUTF8, .text("a")])
    }

    @Test("of a file are kept when what was typed is discarded, and those of a terminal are not")
    func discarded() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        #expect(write(ends[1], "a\nb\n", 4) == 4)
        var input = LineInput(ends[0])
        #expect(try input.next() == .text("a"))
        input.discardTyped()
        #expect(try input.next() == .text("b"))

        let folder = ScratchFolder()
        let terminal = try PseudoTerminal(path: folder.path + "/terminal", group: nil)
        let typed = open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(typed) }
        input = LineInput(typed)
        terminal.send(Array("a\nb\n".utf8))
        #expect(try input.next() == .text("a"))
        input.discardTyped()
        terminal.send(Array("c\n".utf8))
        #expect(try input.next() == .text("c"))
    }

    @Test("one that is too long is skipped, and the next one is whole")
    func long() throws {
        let (maximum, more) = (LineInput.maximumLength, 200_000)
        let text = String(repeating: "x", count: maximum) + "\n" + String(repeating: "y", count: more) + "\nz\n"
        #expect(try lines(Array(text.utf8)) == [.text(String(repeating: "x", count: maximum)), .tooLong, .text("z")])
        #expect(try lines(Array(String(repeating: "y", count: more).utf8)) == [.tooLong])
    }
}
