import WaymarkClient

/// Prints ten poses of the ring, each predicted 20 ms ahead of its own time.
///
/// Usage: ring-pose SOCKET
@main
enum RingPose {
    static func main() throws {
        let arguments = CommandLine.arguments
        let ring = try Waymark.PoseRing(path: arguments.count > 1 ? arguments[1] : Waymark.PoseRing.defaultPath)
        var last: Waymark.RingPose?
        for _ in 0..<10 {
            guard let pose = ring.wait(after: last, timeout: .seconds(30)) else { break }
            let shown = pose.predicted(to: pose.time + 20_000_000)
            print("pose", pose.sequence, shown.time - pose.time, shown.position.x, shown.orientation.w)
            last = pose
        }
    }
}
