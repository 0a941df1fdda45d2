import CPoseRing
import Glibc
import Linux
import Testing

/// A client that has only the socket and both descriptors.
struct RawRingClient {
    let socket: UnixStream
    /// Descriptors, in the order in which they came.
    let owners: [OwnedDescriptor]

    init(_ server: RingServer) throws {
        socket = try UnixStream.connect(path: server.path, kind: .packets, until: nil)
        owners = try Self.receive(socket).descriptors
        try #require(owners.count == 2)
    }

    var ring: Int32 { owners[0].descriptor }
    var doorbell: Int32 { owners[1].descriptor }

    static func receive(_ socket: UnixStream) throws -> UnixStream.Received {
        _ = try Waiting.wait(socket.descriptor, events: POLLIN, until: nil)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
        defer { buffer.deallocate() }
        return try #require(try socket.receive(into: buffer))
    }

    /// Size of both memories' mappings here. Unit: bytes.
    static let page = 4096

    func map(_ descriptor: Int32, _ protection: Int32) -> UnsafeMutableRawPointer? {
        let memory = mmap(nil, Self.page, protection, MAP_SHARED, descriptor, 0)
        return memory == UnsafeMutableRawPointer(bitPattern: -1) ? nil : memory
    }
}
