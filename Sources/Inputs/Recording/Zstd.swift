import CZlib
import CZstd

/// Compresses blocks with reused memory.
final class ZstdCompressor {
    private let context: OpaquePointer
    /// Fastest level of the normal range. It compresses by a factor of 2 to 3 and takes 1 % of one core of a small
    /// board.
    private static let level: Int32 = 1

    init() {
        guard let context = ZSTD_createCCtx() else { preconditionFailure("out of memory") }
        self.context = context
    }

    deinit { ZSTD_freeCCtx(context) }

    /// Replaces the content of `output` with the compressed `input`.
    func compress(_ input: [UInt8], into output: inout [UInt8]) {
        let bound = ZSTD_compressBound(input.count)
        if output.count < bound { output += [UInt8](repeating: 0, count: bound - output.count) }
        let size = output.withUnsafeMutableBytes { output in
            input.withUnsafeBytes { input in
                ZSTD_compressCCtx(
                    context, output.baseAddress, output.count, input.baseAddress, input.count, ZstdCompressor.level)
            }
        }
        precondition(ZSTD_isError(size) == 0, "zstd refused a block although its output had room")
        output.removeLast(output.count - size)
    }
}

/// Decompresses blocks, never into more memory than the caller allows.
final class ZstdDecompressor {
    private let context: OpaquePointer

    init() {
        guard let context = ZSTD_createDCtx() else { preconditionFailure("out of memory") }
        self.context = context
        // A window larger than the largest chunk is useless, and would have to be allocated.
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 26)
    }

    deinit { ZSTD_freeDCtx(context) }

    /// Decompresses into `output`, replacing its content.
    ///
    /// - Returns: whether the input was complete and intact and gave exactly `size` bytes. If not, `output` holds the
    ///   data before the flaw.
    func decompress(_ input: UnsafeRawBufferPointer, size: Int, into output: inout [UInt8]) -> Bool {
        ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
        if output.count < size { output += [UInt8](repeating: 0, count: size - output.count) }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        let (produced, whole) = output.withUnsafeMutableBytes { bytes in
            var target = ZSTD_outBuffer(dst: bytes.baseAddress, size: size, pos: 0)
            var result = 1
            while result > 0, ZSTD_isError(result) == 0 {
                let before = (source.pos, target.pos)
                result = ZSTD_decompressStream(context, &target, &source)
                if (source.pos, target.pos) == before { break }
            }
            return (target.pos, result == 0 && target.pos == size && source.pos == source.size)
        }
        output.removeLast(output.count - produced)
        return whole
    }
}

/// CRC-32 as zip and MCAP use it.
enum CRC32 {
    static func update(_ crc: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        UInt32(
            truncatingIfNeeded: crc32_z(UInt(crc), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count))
    }

    static func of(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { update(0, $0) } }
}
