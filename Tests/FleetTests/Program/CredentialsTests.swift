import Fleet
import Glibc
import TestTools
import Testing

@Suite("Credentials")
struct CredentialsTests {
    private let folder = ScratchFolder()

    @Test("A password is what stands before the ends of its line", arguments: ["", "\n", "\r\n", "\r", "\r\n\r\n"])
    func lineEnds(end: String) throws {
        let file = try #require(fopen("\(folder.path)/\(Credentials.Name.password.rawValue)", "w"))
        fputs("pass word\r\n\u{e9}" + end, file)
        fclose(file)
        #expect(try Credentials(folder: folder.path).text(.password) == "pass word\r\n\u{e9}")
    }

    @Test("Without a folder or a file there is no password")
    func absent() throws {
        #expect(try Credentials(folder: nil).text(.password) == nil)
        #expect(try Credentials(folder: folder.path).text(.password) == nil)
    }
}
