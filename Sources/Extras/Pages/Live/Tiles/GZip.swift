import CZlib

/// Decompresses gzip (RFC 1952).
enum GZip {
    /// Size of the pieces in which data is decompressed. Unit: bytes.
    private static let piece = 64 << 10

    /// - Returns: the content; nil if it is damaged or longer than `limit` bytes.
    static func inflate(_ bytes: [UInt8], atMost limit: Int) -> [UInt8]? {
        bytes.withUnsafeBufferPointer { input in
            // Allocated separately, because zlib stores its address.
            let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
            stream.initialize(to: z_stream())
            defer { stream.deallocate() }
            // Adding 16 to the largest window size selects gzip's header and checksum.
            let size = Int32(MemoryLayout<z_stream>.size)
            guard inflateInit2_(stream, MAX_WBITS + 16, ZLIB_VERSION, size) == Z_OK else { return nil }
            defer { inflateEnd(stream) }
            // zlib only reads the input.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            return content(of: stream, atMost: limit)
        }
    }

    private static func content(of stream: UnsafeMutablePointer<z_stream>, atMost limit: Int) -> [UInt8]? {
        var content: [UInt8] = []
        while content.count <= limit {
            var code = Z_OK
            content += [UInt8](unsafeUninitializedCapacity: piece) { room, count in
                (stream.pointee.next_out, stream.pointee.avail_out) = (room.baseAddress, UInt32(room.count))
                code = CZlib.inflate(stream, Z_NO_FLUSH)
                count = room.count - Int(stream.pointee.avail_out)
            }
            if code == Z_STREAM_END { return content.count <= limit ? content : nil }
            guard code == Z_OK else { return nil }
        }
        return nil
    }
}
