import Linux

/// A file of stereo sound, 16 bits a sample (RIFF WAVE, PCM).
package struct WaveFile: ~Copyable {
    private let file: File
    private let rate: UInt32
    private var dataBytes: UInt32 = 0
    private var bytes: [UInt8] = []

    /// Size of the header before the samples. Unit: bytes.
    private static let headerSize = 44
    private static let bytesOfFrame: UInt32 = 4

    /// Creates the file, or replaces its content.
    ///
    /// - Parameter rate: sampling rate. Unit: hertz.
    package init(_ path: String, rate: Int) throws(FileError) {
        file = try File.createOrReplace(path, mode: 0o644)
        self.rate = UInt32(rate)
    }

    /// Appends samples from -1 to 1, left and right alternating; louder ones are clipped.
    package mutating func append(_ samples: UnsafeMutableBufferPointer<Float>) throws(FileError) {
        bytes.removeAll(keepingCapacity: true)
        if dataBytes == 0 { bytes += header }
        for sample in samples { append(UInt16(bitPattern: Int16(min(max(sample, -1), 1) * 32767))) }
        try file.write(bytes)
        dataBytes += UInt32(2 * samples.count)
    }

    /// Writes the final sizes into the header.
    package mutating func finish() throws(FileError) {
        try file.seek(to: 0)
        try file.write(header)
    }

    private mutating func append(_ word: UInt16) {
        bytes.append(UInt8(truncatingIfNeeded: word))
        bytes.append(UInt8(truncatingIfNeeded: word >> 8))
    }

    private var header: [UInt8] {
        var header = Array("RIFF".utf8)
        func append(_ value: UInt32, bytes count: Int) {
            for byte in 0..<count { header.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
        }
        append(dataBytes + UInt32(Self.headerSize - 8), bytes: 4)
        header += Array("WAVEfmt ".utf8)
        append(16, bytes: 4)
        // Format PCM, two channels.
        append(1, bytes: 2)
        append(2, bytes: 2)
        append(rate, bytes: 4)
        append(rate * Self.bytesOfFrame, bytes: 4)
        append(Self.bytesOfFrame, bytes: 2)
        append(16, bytes: 2)
        header += Array("data".utf8)
        append(dataBytes, bytes: 4)
        return header
    }
}
