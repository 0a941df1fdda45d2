/// Why a recording is not begun or ended.
enum RecordingRefusal: Error, Equatable {
    case alreadyRecording(path: String)
    case notRecording
    case impossible(path: String, reason: String)
}
