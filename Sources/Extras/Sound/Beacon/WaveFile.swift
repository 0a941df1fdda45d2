import Linux

/// A file of stereo sound, 16 bits a sample (RIFF WAVE, PCM).
struct WaveFile: ~Copyable {
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
    init(_ path: String, rate: Int) throws(FileError) {
        file = try File.createOrReplace(path, mode: 0o644)
        self.rate = UInt32(rate)
    }

    /// Appends samples from -1 to 1, left and right alternating; clips samples that are louder.
    mutating func append(_ samples: UnsafeMutableBufferPointer<Float>) throws(FileError) {
        bytes.removeAll(keepingCapacity: true)
        if dataBytes == 0 { bytes += header }
        for sample in samples { bytes.append(littleEndian: Int16(min(max(sample, -1), 1) * 32767)) }
        try file.write(bytes)
        dataBytes += UInt32(2 * samples.count)
    }

    /// Writes the final sizes into the header.
    mutating func finish() throws(FileError) {
        try file.seek(to: 0)
        try file.write(header)
    }

    private var header: [UInt8] {
        var header = Array("RIFF".utf8)
        header.append(littleEndian: dataBytes + UInt32(Self.headerSize - 8))
        header += Array("WAVEfmt ".utf8)
        header.append(littleEndian: UInt32(16))
        // Format PCM, two channels.
        header.append(littleEndian: UInt16(1))
        header.append(littleEndian: UInt16(2))
        header.append(littleEndian: rate)
        header.append(littleEndian: rate * Self.bytesOfFrame)
        header.append(littleEndian: UInt16(Self.bytesOfFrame))
        header.append(littleEndian: UInt16(16))
        header += Array("data".utf8)
        header.append(littleEndian: dataBytes)
        return header
    }
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { self += $0 }
    }
}
