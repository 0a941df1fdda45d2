import Linux
import Testing
import Varlink

@Suite struct OutputBufferTests {
    @Test("a buffer that is never empty keeps no more than what waits, and loses nothing")
    func steady() throws {
        let (near, far) = try UnixStream.pair()
        var buffer = OutputBuffer()
        var (written, read) = (0, 0)
        var room = [UInt8](repeating: 0, count: 65536)
        func append(_ count: Int) {
            buffer.append((written..<(written + count)).map { UInt8(truncatingIfNeeded: $0 / 251) })
            written += count
        }
        // More than the kernel holds, so that something always waits.
        append(2_000_000)
        for _ in 0..<400 {
            _ = try buffer.send(to: near)
            guard let got = try room.withUnsafeMutableBytes({ try far.receive(into: $0) }) else { continue }
            for index in 0..<got.count where room[index] != UInt8(truncatingIfNeeded: (read + index) / 251) {
                Issue.record("another byte at \(read + index)")
                return
            }
            read += got.count
            append(got.count)
        }
        #expect(read > 5_000_000)
        #expect(buffer.capacity < 8_200_000)
    }
}
