import Linux

/// Records sound into a file, up to the current time.
struct WaveRecorder: ~Copyable {
    private var file: WaveFile
    private let rate: Int
    /// Time of the first frame, CLOCK_BOOTTIME. Unit: nanoseconds.
    private let begin: Int64
    private var written = 0
    private let room: UnsafeMutableBufferPointer<Float>

    /// Maximum number of frames rendered at once.
    private static let maximumFrameCount = 4096

    init(_ path: String, _ output: SoundOutput) throws(BeaconClient.Problem) {
        rate = output.rate
        do throws(FileError) {
            file = try WaveFile(path, rate: rate)
        } catch {
            throw BeaconClient.Problem(description: "\(path): \(error)")
        }
        begin = BootClock.nanoseconds
        room = .allocate(capacity: 2 * Self.maximumFrameCount)
        let (seconds, rest) = begin.quotientAndRemainder(dividingBy: 1_000_000_000)
        let digits = String(rest)
        Log.info(
            "writes \(path) from \(seconds).\(String(repeating: "0", count: 9 - digits.count))\(digits) s of "
                + "CLOCK_BOOTTIME on")
    }

    deinit { room.deallocate() }

    /// Renders up to a time of CLOCK_BOOTTIME. Unit: nanoseconds.
    mutating func render(_ output: SoundOutput, until time: Int64) throws(FileError) {
        let due = Int(Double(time - begin) * 1e-9 * Double(rate))
        while written < due {
            let part = UnsafeMutableBufferPointer(rebasing: room[..<(2 * min(due - written, Self.maximumFrameCount))])
            output.render(into: part)
            try file.append(part)
            written += part.count / 2
        }
    }

    mutating func finish() throws(FileError) { try file.finish() }
}
