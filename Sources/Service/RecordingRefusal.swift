/// Why a recording is not begun or ended.
enum RecordingRefusal: Error, Equatable, CustomStringConvertible {
    case alreadyRecording(path: String)
    case notRecording
    case impossible(path: String, reason: String)

    var description: String {
        switch self {
        case .alreadyRecording(let path): "already recording \(path)"
        case .notRecording: "no recording is running"
        case .impossible(let path, let reason): "cannot record \(path): \(reason)"
        }
    }
}
