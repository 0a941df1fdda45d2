import Glibc
import Programs
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

    @Test("one that is too long is skipped, and the next one is whole")
    func long() throws {
        let (most, more) = (LineInput.longest, 200_000)
        let text = String(repeating: "x", count: most) + "\n" + String(repeating: "y", count: more) + "\nz\n"
        #expect(try lines(Array(text.utf8)) == [.text(String(repeating: "x", count: most)), .tooLong, .text("z")])
        #expect(try lines(Array(String(repeating: "y", count: more).utf8)) == [.tooLong])
    }
}
