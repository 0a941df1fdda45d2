import CPoseRing
import Glibc
import Linux
import Testing

/// What a client may try with the descriptors it got, and with its connection.
@Suite("Hostile clients of the pose ring")
struct HostileRingClientTests {
    @Test("no client can write, grow, shrink or punch the ring")
    func readOnly() throws {
        let server = RingServer()
        let client = try RawRingClient(server)
        server.write(RingPoses.list(1..<5))
        let again = open("/proc/self/fd/\(client.ring)", O_RDWR)
        for descriptor in [client.ring, again] where descriptor >= 0 {
            #expect(client.map(descriptor, PROT_READ | PROT_WRITE) == nil)
            #expect(ftruncate(descriptor, 0) != 0 && ftruncate(descriptor, 1 << 20) != 0)
            #expect(pwrite(descriptor, "x", 1, 0) < 0)
        }
        close(again)
        let memory = try #require(client.map(client.ring, PROT_READ))
        #expect(mprotect(memory, RawRingClient.page, PROT_READ | PROT_WRITE) != 0)
        #expect(madvise(memory, RawRingClient.page, MADV_REMOVE) != 0)
        #expect(memory.assumingMemoryBound(to: waymark_ring_header.self).pointee.newest == 4)
        munmap(memory, RawRingClient.page)
    }

    @Test("a doorbell keeps its size")
    func doorbellSize() throws {
        let server = RingServer()
        let client = try RawRingClient(server)
        #expect(ftruncate(client.doorbell, 0) != 0 && ftruncate(client.doorbell, 1 << 20) != 0)
        let memory = try #require(client.map(client.doorbell, PROT_READ | PROT_WRITE))
        munmap(memory, RawRingClient.page)
    }

    @Test("whatever a client writes into its doorbell, poses go on, and it is cleared")
    func doorbell() throws {
        let server = RingServer()
        let client = try RawRingClient(server)
        let memory = try #require(client.map(client.doorbell, PROT_READ | PROT_WRITE))
        defer { munmap(memory, RawRingClient.page) }
        let words = memory.assumingMemoryBound(to: UInt32.self)
        for (index, value) in [1, .max, 0, 2].enumerated() as EnumeratedSequence<[UInt32]> {
            for word in 0..<1024 { words[word] = value }
            server.write([RingPoses.pose(index)])
            #expect(words[0] == 0)
            // Changed where the client seemed to wait, whatever it has written there.
            #expect(words[1] == (value == 0 ? value : value &+ 1))
        }
        // A page that the client has given back is zero again.
        #expect(madvise(memory, RawRingClient.page, MADV_REMOVE) == 0)
        server.write([RingPoses.pose(9)])
        let ring = try #require(client.map(client.ring, PROT_READ))
        #expect(ring.assumingMemoryBound(to: waymark_ring_header.self).pointee.newest == 5)
        munmap(ring, RawRingClient.page)
    }

    @Test("a client that sends anything is closed")
    func talkative() throws {
        let server = RingServer()
        let client = try RawRingClient(server)
        #expect(server.clientCount == 1)
        let word: [UInt8] = [1]
        _ = try word.withUnsafeBytes { try client.socket.send($0) }
        while server.clientCount == 1 { usleep(1000) }
        // The end, or that what it sent was not read: the end is announced before the socket is closed.
        let received = try? RawRingClient.receive(client.socket)
        #expect((received?.count ?? 0) == 0)
    }

    @Test("the end is marked in the ring, and the connection is closed")
    func end() throws {
        let server = RingServer()
        let client = try RawRingClient(server)
        server.write(RingPoses.list(0..<3))
        server.end()
        #expect(try RawRingClient.receive(client.socket).count == 0)
        let ring = try #require(client.map(client.ring, PROT_READ))
        let header = ring.assumingMemoryBound(to: waymark_ring_header.self).pointee
        #expect(header.ended == 1 && header.newest == 3)
        munmap(ring, RawRingClient.page)
    }

    @Test("a connection that is refused leaves nothing behind")
    func refused() throws {
        let server = RingServer(clients: 1)
        let client = try RawRingClient(server)
        for _ in 0..<50 {
            let other = try UnixStream.connect(path: server.path, kind: .packets, until: nil)
            let received = try RawRingClient.receive(other)
            #expect(received.count == 16 && received.descriptors.isEmpty)
        }
        #expect(server.clientCount == 1)
        withExtendedLifetime(client) {}
    }
}
