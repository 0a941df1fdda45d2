import WaymarkClient

/// Types of the program's own: the library leaves these names to it.
struct Pose {
    let line: String
}

/// Prints ten poses, and the placements of the first scene that has any.
///
/// Usage: walk-along SOCKET
@main
enum WalkAlong {
    static func main() async throws {
        let socket = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : Waymark.Client.defaultPath
        var seen: [Pose] = []
        for try await pose in Waymark.poses(rate: 20, socket: socket) {
            seen.append(Pose(line: "\(pose.sequence) \(pose.state.word) \(pose.position.x) \(pose.position.z)"))
            if seen.count == 10 { break }
        }
        for pose in seen { print("pose", pose.line) }
        for try await scene in Waymark.scenes(socket: socket) where !scene.changed.isEmpty {
            for placement in scene.changed { print("placement", placement.id, "\(placement.kind)") }
            break
        }
    }
}
