import Varlink

/// The interfaces that the daemon speaks, from the very files that are installed.
enum InterfaceTexts {
    static let pose = description(PackageResources.org_waymark_Pose_varlink)
    static let status = description(PackageResources.org_waymark_Status_varlink)
    static let scene = description(PackageResources.org_waymark_Scene_varlink)
    static let recording = description(PackageResources.org_waymark_Recording_varlink)
    static let calibration = description(PackageResources.org_waymark_Calibration_varlink)

    private static func description(_ bytes: [UInt8]) -> InterfaceDescription {
        do {
            return try InterfaceDescription(text: String(decoding: bytes, as: UTF8.self))
        } catch {
            preconditionFailure("an interface file built into the program: \(error)")
        }
    }
}
