import Glibc
import Linux
import TestTools
import Testing

@Suite("A temporary folder")
struct TemporaryFolderTests {
    private let place = ScratchFolder()

    private var names: [String] { ((try? File.names(in: place.path)) ?? []).sorted() }

    private func touch(_ path: String) { close(open(path, O_CREAT | O_WRONLY, 0o600)) }

    private func removeAbandoned() { TemporaryFolder.removeAbandoned(in: place.path, prefix: "run-") }

    /// A folder as a killed run leaves it: with files, folders and links, one of them to `target`.
    private func abandoned(_ name: String, target: String = "/") {
        let path = "\(place.path)/\(name)"
        mkdir(path, 0o700)
        mkdir(path + "/inner", 0o700)
        touch(path + "/inner/file")
        symlink(target, path + "/link")
        symlink(target, path + "/inner/link")
    }

    @Test("is its user's alone, different each time, and gone with its content")
    func life() throws {
        let (one, other) = (
            try TemporaryFolder(in: place.path, prefix: "run-"), try TemporaryFolder(in: place.path, prefix: "run-")
        )
        #expect(one.path != other.path && one.path.hasPrefix(place.path + "/run-"))
        var information = stat()
        #expect(lstat(one.path, &information) == 0 && information.st_mode == S_IFDIR | 0o700)
        touch(one.path + "/file")
        mkdir(one.path + "/folder", 0o700)
        one.remove()
        other.remove()
        #expect(names == [])
    }

    @Test("of a killed run goes with the next one, and what its links lead to stays")
    func ofKilledRun() throws {
        let kept = ScratchFolder()
        touch(kept.path + "/precious")
        abandoned("run-a1B2c3", target: kept.path)
        removeAbandoned()
        #expect(names == [])
        #expect(access(kept.path + "/precious", F_OK) == 0)
    }

    @Test("of a living run stays")
    func ofLivingRun() throws {
        let folder = try TemporaryFolder(in: place.path, prefix: "run-")
        touch(folder.path + "/file")
        removeAbandoned()
        withExtendedLifetime(folder) { #expect(access(folder.path + "/file", F_OK) == 0) }
    }

    @Test("is there once it is made, whatever another run removes meanwhile")
    func made() throws {
        let path = place.path
        let remover = WorkerThread(name: "test-remover") { flag in
            while !flag.isSet { TemporaryFolder.removeAbandoned(in: path, prefix: "run-") }
        }
        for _ in 0..<500 {
            let folder = try TemporaryFolder(in: path, prefix: "run-")
            #expect(access(folder.path, F_OK) == 0)
            folder.remove()
        }
        #expect(remover.stop(timeoutSeconds: 30))
    }

    @Test("of another name or kind, open to others, or of another user, stays")
    func ofOthers() throws {
        abandoned("run-toolong")
        abandoned("run-a1B2c.")
        abandoned("other-a1B2c3")
        touch(place.path + "/run-file12")
        abandoned("target")
        symlink(place.path + "/target", place.path + "/run-linked")
        abandoned("run-opened")
        chmod(place.path + "/run-opened", 0o755)
        abandoned("run-strang")
        // Only root can give it to another user.
        let isRoot = chown(place.path + "/run-strang", 65534, 65534) == 0
        let before = names
        removeAbandoned()
        #expect(names == before.filter { isRoot || $0 != "run-strang" })
        #expect(access(place.path + "/target/inner/file", F_OK) == 0)
    }

    @Test("cannot be made where there is no folder")
    func nowhere() {
        #expect(throws: SystemError.self) { try TemporaryFolder(in: place.path + "/none", prefix: "run-") }
        TemporaryFolder.removeAbandoned(in: place.path + "/none", prefix: "run-")
    }
}
