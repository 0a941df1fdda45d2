import Glibc
import Linux
import TestTools
import Testing

@Suite("The list of a folder's files")
struct FolderListingTests {
    /// Number of files whose names take more room than the C library reads from a directory at once.
    private static let count = 2000

    private let folder = ScratchFolder()
    private let names: Set<String>

    init() {
        let tail = String(repeating: "x", count: 240)
        names = Set((0..<Self.count).map { "\($0)-\(tail)" })
        for name in names { close(open("\(folder.path)/\(name)", O_CREAT | O_WRONLY, 0o600)) }
    }

    @Test("has them all, and ends without an error")
    func whole() throws {
        let listing = File.listing(of: folder.path)
        #expect(Set(listing.names) == names && listing.names.count == Self.count && listing.error == nil)
        #expect(Set(try File.names(in: folder.path)) == names)
    }

    @Test("has those that were read before an error, and the error")
    func brokenOff() throws {
        let stream = try #require(opendir(folder.path))
        defer { closedir(stream) }
        // Reads the first part of the directory, and lets the next read fail.
        _ = readdir(stream)
        let other = open("/dev/null", O_RDONLY | O_CLOEXEC)
        #expect(dup2(other, dirfd(stream)) >= 0)
        close(other)
        let listing = File.listing(of: stream)
        #expect(listing.error == FileError(code: ENOTDIR))
        #expect(!listing.names.isEmpty && listing.names.count < Self.count && names.isSuperset(of: listing.names))
    }

    @Test("is empty where there is no folder, with the reason")
    func none() {
        let listing = File.listing(of: folder.path + "/none")
        #expect(listing.names.isEmpty && listing.error == FileError(code: ENOENT))
        #expect(throws: FileError(code: ENOENT)) { try File.names(in: folder.path + "/none") }
    }
}
