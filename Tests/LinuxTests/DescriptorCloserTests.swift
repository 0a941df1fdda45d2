import Foundation
import Glibc
import Linux
import Testing

@Suite("Descriptor closer")
struct DescriptorCloserTests {
    @Test("everything of every user is closed", .timeLimit(.minutes(1)))
    func all() throws {
        let closer = DescriptorCloser(name: "test", threads: 3, capacity: 1000)
        var readers: [Int32] = []
        for user in UInt32(0)..<100 {
            for _ in 0..<2 {
                var ends: [Int32] = [-1, -1]
                #expect(pipe(&ends) == 0)
                readers.append(ends[0])
                closer.close(ends[1], of: user)
            }
        }
        for reader in readers {
            var byte: UInt8 = 0
            // Waits for the end, which comes when the other end is closed.
            #expect(read(reader, &byte, 1) == 0)
            close(reader)
        }
    }

    @Test("a connection that would linger for an hour is closed at once", .timeLimit(.minutes(1)))
    func lingering() throws {
        let closer = DescriptorCloser(name: "test", threads: 1, capacity: 10)
        let (sender, receiver) = try Self.lingeringConnection()
        closer.close(sender, of: 1)
        // The peer has read nothing, and reads nothing.
        #expect(Self.isDone(closer, user: 1))
        close(receiver)
    }

    @Test("a message that was never read, with such a connection in it, is closed at once", .timeLimit(.minutes(1)))
    func unread() throws {
        let closer = DescriptorCloser(name: "test", threads: 1, capacity: 10)
        let (sender, receiver) = try Self.lingeringConnection()
        let unread = try Self.unreadSocket(holding: sender)
        close(sender)
        closer.close(unread, of: 1)
        #expect(Self.isDone(closer, user: 1))
        close(receiver)
    }

    @Test("ordinary users take turns beside the thread for the privileged")
    func turns() throws {
        let closer = DescriptorCloser(name: "test", threads: 2, capacity: 100)
        for user in UInt32(0)...20 { closer.close(dup(0), of: user) }
        for user in UInt32(0)...20 { #expect(Self.isDone(closer, user: user)) }
    }

    @Test("one user occupies one thread, however fast its descriptors come", .timeLimit(.minutes(1)))
    func oneThread() throws {
        let closer = DescriptorCloser(name: "one user's", threads: 4, capacity: 100_000)
        for _ in 0..<20_000 {
            // Other tests need descriptors, too.
            while closer.waiting(of: 1000) > 200 { sched_yield() }
            closer.close(dup(0), of: 1000)
        }
        #expect(Self.isDone(closer, user: 1000))
        #expect(try Self.threads(named: "one user's") == 1)
    }

    @Test("a user has a share, and all have a limit together")
    func room() {
        // Without a thread nothing is ever closed.
        let closer = DescriptorCloser(name: "test", threads: 0, capacity: 5, capacityOfUser: 3)
        for _ in 0..<3 {
            #expect(closer.hasRoom(for: 1))
            closer.close(dup(0), of: 1)
        }
        #expect(closer.waiting(of: 1) == 3)
        #expect(!closer.hasRoom(for: 1) && closer.hasRoom(for: 2) && closer.hasRoom)
        for _ in 0..<2 { closer.close(dup(0), of: 2) }
        #expect(!closer.hasRoom && !closer.hasRoom(for: 3))
    }

    /// Whether all descriptors of a user are closed, in time.
    private static func isDone(_ closer: DescriptorCloser, user: UInt32) -> Bool {
        let end = Reactor.now + 20_000_000_000
        while closer.waiting(of: user) > 0, Reactor.now < end { usleep(1000) }
        return closer.waiting(of: user) == 0
    }

    /// Number of this process's threads of a name.
    private static func threads(named name: String) throws -> Int {
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        return tasks.count { task in
            (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)) == name + "\n"
        }
    }

    /// The only reading end of a socket, with the descriptor in its queue.
    private static func unreadSocket(holding descriptor: Int32) throws -> Int32 {
        let (left, right) = try UnixStream.pair()
        let sent = try withUnsafeBytes(of: UInt8(1)) { try left.send($0, descriptors: [descriptor]) }
        #expect(sent == 1)
        return dup(right.descriptor)
    }

    /// Two ends of a TCP connection: one with full buffers that lingers for an hour, and its peer, who does not read.
    private static func lingeringConnection() throws -> (sender: Int32, receiver: Int32) {
        let stream = Int32(SOCK_STREAM.rawValue)
        let listener = OwnedDescriptor(socket(AF_INET, stream, 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let sender = socket(AF_INET, stream, 0)
        let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener.descriptor, $0, size) == 0 && listen(listener.descriptor, 1) == 0
                    && getsockname(listener.descriptor, $0, &size) == 0 && connect(sender, $0, size) == 0
            }
        }
        try #require(isConnected)
        let receiver = accept(listener.descriptor, nil, nil)
        try #require(receiver >= 0)
        let bytes = [UInt8](repeating: 0, count: 65536)
        while send(sender, bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
        var hour = linger(l_onoff: 1, l_linger: 3600)
        #expect(setsockopt(sender, SOL_SOCKET, SO_LINGER, &hour, socklen_t(MemoryLayout<linger>.size)) == 0)
        return (sender, receiver)
    }
}
