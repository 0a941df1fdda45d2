import Glibc
import Linux
import TestTools
import Testing

private func send(_ stream: UnixStream, _ text: String, descriptors: [Int32] = []) throws -> Int? {
    let bytes = Array(text.utf8)
    return try bytes.withUnsafeBytes { buffer throws in try stream.send(buffer, descriptors: descriptors) }
}

private func receive(_ stream: UnixStream, limit: Int = 1000) throws -> (text: String, descriptors: [OwnedDescriptor])?
{
    var buffer = [UInt8](repeating: 0, count: limit)
    let received = try buffer.withUnsafeMutableBytes { buffer throws in try stream.receive(into: buffer) }
    guard let received else { return nil }
    return (String(decoding: buffer.prefix(received.count), as: UTF8.self), received.descriptors)
}

@Suite struct UnixSocketTests {
    @Test("a listener takes connections and knows who they are")
    func credentials() throws {
        let directory = ScratchFolder()
        let path = directory.path + "/socket"
        let listener = try UnixListener(path: path, mode: 0o660)
        #expect(try listener.accept() == nil)
        let client = try UnixStream.connect(path: path, until: nil)
        let server = try #require(try listener.accept())
        let peer = try server.peer()
        #expect(peer.process == getpid())
        #expect(peer.user == geteuid())
        #expect(peer.groups.first == getegid())
        #expect(try send(client, "hello") == 5)
        #expect(try receive(server)?.text == "hello")
        #expect(try receive(server) == nil)
    }

    @Test("the socket has the mode asked for, and goes with the listener")
    func modeAndUnlink() throws {
        let directory = ScratchFolder()
        let path = directory.path + "/socket"
        let listener = try UnixListener(path: path, mode: 0o640, group: getegid())
        var information = stat()
        #expect(lstat(path, &information) == 0)
        #expect(information.st_mode & 0o777 == 0o640)
        #expect(information.st_gid == getegid())
        listener.close()
        #expect(lstat(path, &information) != 0)
    }

    @Test("a stale socket is replaced; one that answers and a file are not")
    func stale() throws {
        let directory = ScratchFolder()
        let path = directory.path + "/socket"
        let first = try UnixListener(path: path, mode: 0o600)
        let busy = #expect(throws: SystemError.self) { _ = try UnixListener(path: path, mode: 0o600) }
        #expect(busy?.code == EADDRINUSE)

        // What a killed process leaves: the node without a listener.
        let stalePath = directory.path + "/stale"
        let left = try UnixListener(path: stalePath, mode: 0o600)
        #expect(rename(stalePath, stalePath + ".kept") == 0)
        left.close()
        #expect(rename(stalePath + ".kept", stalePath) == 0)
        let second = try UnixListener(path: stalePath, mode: 0o600)
        _ = try UnixStream.connect(path: stalePath, until: nil)
        #expect(try second.accept() != nil)

        let filePath = directory.path + "/file"
        close(open(filePath, O_CREAT | O_WRONLY, 0o600))
        let noSocket = #expect(throws: SystemError.self) { _ = try UnixListener(path: filePath, mode: 0o600) }
        #expect(noSocket?.code == EEXIST)
        withExtendedLifetime(first) {}
    }

    @Test("a listener leaves alone a path that leads to another one's socket by now")
    func foreignNode() throws {
        let directory = ScratchFolder()
        let path = directory.path + "/socket"
        let first = try UnixListener(path: path, mode: 0o600)
        unlink(path)
        let second = try UnixListener(path: path, mode: 0o600)
        first.close()
        _ = try UnixStream.connect(path: path, until: nil)
        withExtendedLifetime(second) {}
    }

    @Test("a path too long for a socket is refused by name")
    func longPath() {
        let path = "/tmp/" + String(repeating: "x", count: 120)
        let error = #expect(throws: SystemError.self) { _ = try UnixListener(path: path, mode: 0o600) }
        #expect(error?.code == ENAMETOOLONG)
    }

    @Test("descriptors travel with bytes, and what is not kept is closed")
    func descriptors() throws {
        let (left, right) = try UnixStream.pair()
        var pipes: [Int32] = [-1, -1]
        #expect(pipe(&pipes) == 0)
        #expect(try send(left, "take", descriptors: [pipes[1]]) == 4)
        close(pipes[1])
        var byte: UInt8 = 0
        do {
            let received = try #require(try receive(right))
            #expect(received.text == "take")
            #expect(received.descriptors.count == 1)
            let descriptor = try #require(received.descriptors.first).descriptor
            #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
            byte = 42
            #expect(write(descriptor, &byte, 1) == 1)
            withExtendedLifetime(received) {}
        }
        byte = 0
        #expect(read(pipes[0], &byte, 1) == 1)
        #expect(byte == 42)
        // The last writing end went with what `receive` returned.
        #expect(read(pipes[0], &byte, 1) == 0)
        close(pipes[0])
    }

    @Test("a full socket takes nothing, and one whose reader is gone is an error and no signal")
    func fullAndBroken() throws {
        let (left, right) = try UnixStream.pair()
        let text = String(repeating: "x", count: 10_000)
        var total = 0
        while let sent = try send(left, text) { total += sent }
        #expect(total > 0)
        shutdown(right.descriptor, Int32(SHUT_RDWR))
        let error = #expect(throws: SystemError.self) { try send(left, text) }
        #expect(error?.code == EPIPE)
    }

    @Test("waiting ends by readiness, by its deadline or by cancelling")
    func waiting() throws {
        let (left, right) = try UnixStream.pair()
        let cancel = EventDescriptor()
        let soon = Reactor.now + 5_000_000
        #expect(try Waiting.wait(right.descriptor, events: POLLIN, until: soon) == .timedOut)
        #expect(Reactor.now >= soon)
        _ = try send(left, "x")
        #expect(try Waiting.wait(right.descriptor, events: POLLIN, until: nil, cancel: cancel.descriptor) == .ready)
        cancel.signal()
        #expect(try Waiting.wait(right.descriptor, events: POLLIN, until: nil, cancel: cancel.descriptor) == .cancelled)
    }

    @Test("connecting to a path without a listener names the path")
    func connectRefused() {
        let error = #expect(throws: SystemError.self) {
            _ = try UnixStream.connect(path: "/tmp/waymark-no-such-socket", until: nil)
        }
        #expect(error?.code == ENOENT)
        #expect(error?.description.contains("/tmp/waymark-no-such-socket") == true)
    }
}
