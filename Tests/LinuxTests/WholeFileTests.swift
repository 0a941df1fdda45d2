import Glibc
import Linux
import TestTools
import Testing

@Suite("A file that is replaced as a whole")
struct WholeFileTests {
    @Test("is read as it was written, up to a bound, and gone when it is removed")
    func written() throws {
        let directory = ScratchFolder()
        let file = WholeFile(path: directory.path + "/file")
        #expect(try file.read(maximumLength: 10) == nil)
        try file.remove()
        try file.replace(with: [1, 2, 3])
        #expect(try file.read(maximumLength: 10) == [1, 2, 3])
        #expect(try file.read(maximumLength: 3) == [1, 2, 3])
        #expect(try file.read(maximumLength: 1) == [1, 2], "one byte more shows that it is too long")
        try file.remove()
        #expect(try file.read(maximumLength: 10) == nil)
    }

    @Test("a file in memory can be read through any copy of its descriptor")
    func inMemory() throws {
        let file = try File.inMemory("test")
        try file.write([7, 8, 9])
        try file.seek(to: 0)
        let other = File(owning: dup(file.descriptor))
        #expect(try other.status().isRegular)
        #expect(try other.read(atMost: 100) == [7, 8, 9])
    }
}
