/// Reason why a recording could not be read or written, with the position in it.
public enum RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The operating system refused; `reason` is its own text.
    case cannotRead(path: String, reason: String)
    case cannotWrite(path: String, reason: String)
    /// The path leads neither to a folder with `imu.csv` nor to an MCAP file.
    case notARecording(path: String, reason: String)
    /// A text file has invalid content; lines, and bytes within a line, count from 1.
    case malformed(path: String, line: Int, column: Int? = nil, problem: String)
    /// A binary file has invalid content.
    case damaged(path: String, offset: UInt64, problem: String)

    /// Path, position and reason in one line.
    public var description: String {
        switch self {
        case .cannotRead(let path, let reason): "cannot read \(path): \(reason)"
        case .cannotWrite(let path, let reason): "cannot write \(path): \(reason)"
        case .notARecording(let path, let reason): "\(path) is not a recording: \(reason)"
        case .malformed(let path, let line, nil, let problem): "\(path):\(line): \(problem)"
        case .malformed(let path, let line, let column?, let problem): "\(path):\(line):\(column): \(problem)"
        case .damaged(let path, let offset, let problem): "\(path): at byte \(offset): \(problem)"
        }
    }
}
