import Foundation
import Geometry
import Model

/// One row of a golden file.
struct GoldenPose {
    /// Nil where nothing is known. Units: as the names say.
    var numbers: [Double?]
    var words: [String]

    private static let numberNames = [
        "t_s", "east_m", "north_m", "up_m", "heading_deg", "pitch_deg", "roll_deg", "ve_mps", "vn_mps", "vu_mps",
        "scene_x_m", "scene_y_m", "scene_z_m", "scene_yaw_deg", "hacc_m", "vacc_m", "yaw_acc_deg",
    ]
    private static let wordNames = ["state", "reference", "reasons", "sources"]
    static let header = (numberNames + wordNames).joined(separator: ",")

    init(_ pose: PoseEstimate, seconds: Double, plane: LocalTangentPlane) {
        let point = pose.geodetic.map { plane.pointENU(of: $0) }
        let sight = pose.rotationENUFromBody * Vector3(0, 0, -1)
        let up = pose.rotationENUFromBody.inverse * Vector3(0, 0, 1)
        let sceneYaw = (pose.rotationENUFromBody * pose.rotationSceneFromBody.inverse).yawAboutZ
        func degrees(_ radians: Double?) -> Double? { radians.map { Angle.degrees(radians: $0) } }
        numbers =
            [seconds] + Self.parts(point)
            + [pose.heading, asin(max(-1, min(1, sight.z))), atan2(-up.x, up.y)].map(degrees)
            + Self.parts(pose.velocityENU) + Self.parts(pose.positionInScene)
            + [degrees(sceneYaw), pose.accuracy.horizontal, pose.accuracy.vertical, degrees(pose.accuracy.yaw)]
        words = [
            "\(pose.state)", "\(pose.headingReference)", "\(pose.reasons.rawValue)", "\(pose.sources.rawValue)",
        ]
    }

    init?(line: some StringProtocol) {
        let cells = line.split(separator: ",", omittingEmptySubsequences: false)
        guard cells.count == Self.numberNames.count + Self.wordNames.count else { return nil }
        numbers = cells.prefix(Self.numberNames.count).map { Double($0) }
        words = cells.dropFirst(Self.numberNames.count).map { String($0) }
    }

    /// To the millimetre and thousandth of a degree.
    var line: String {
        let cells = numbers.map { $0.map { String(format: "%.3f", $0 == 0 ? 0 : $0) } ?? "" }
        return (cells + words).joined(separator: ",")
    }

    /// Whether another says the same to a millimetre and a thousandth of a degree: half of it is the rounding in the
    /// file, and another C library's last bits grow to less than a millionth in the time of a walk.
    func agrees(with other: GoldenPose) -> Bool {
        words == other.words
            && zip(Self.numberNames, zip(numbers, other.numbers)).allSatisfy { name, values in
                guard let mine = values.0, let theirs = values.1 else { return values.0 == nil && values.1 == nil }
                let difference = (mine - theirs).magnitude
                return min(difference, name.hasSuffix("_deg") ? (difference - 360).magnitude : difference) <= 1e-3
            }
    }

    private static func parts(_ vector: Vector3?) -> [Double?] { [vector?.x, vector?.y, vector?.z] }
}
