import Varlink
import WaymarkInterface

/// The interfaces that the daemon speaks, with the texts of the files that are installed.
enum InterfaceTexts {
    static let pose = description(PoseInterface.text)
    static let status = description(StatusInterface.text)
    static let scene = description(SceneInterface.text)
    static let recording = description(RecordingInterface.text)
    static let calibration = description(CalibrationInterface.text)

    private static func description(_ text: String) -> InterfaceDescription {
        do {
            return try InterfaceDescription(text: text)
        } catch {
            preconditionFailure("an interface file built into the program: \(error)")
        }
    }
}
