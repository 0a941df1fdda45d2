import Glibc
import WaymarkClient

/// Offers the odometry of a camera from a trajectory on the standard input, in real time; the first pose is that of
/// now. Lines are "timestamp tx ty tz qx qy qz qw" (s, m), in a frame with z up; `#` begins a comment.
///
/// Usage: camera-odometry SOCKET
@main
enum CameraOdometry {
    static func main() throws {
        let path = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : Waymark.Client.defaultPath
        // The camera looks ahead and has the axes of an optical frame: x right, y down, z ahead.
        let mount = Waymark.AidMount(
            rotation: Waymark.Quaternion(x: 1, y: 0, z: 0, w: 0), leverArm: Waymark.Vector(x: 0.06, y: 0, z: -0.02))
        let camera = try Waymark.Aid("camera", kinds: [.odometry], mount: mount, path: path)
        let start = Waymark.now
        var first: Double?
        while let line = readLine() {
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            guard numbers.count == 8, !line.hasPrefix("#") else { continue }
            first = first ?? numbers[0]
            let seconds = numbers[0] - (first ?? 0)
            guard abs(seconds) < 86_400 else { continue }
            let time = start + Int64(seconds * 1e9)
            while Waymark.now < time { pause() }
            let (position, orientation) = upright(numbers)
            try camera.offerOdometry(position: position, orientation: orientation, time: time)
        }
        for source in try Waymark.Client(path: path).aids() where source.source == camera.source {
            print(source.accepted, "accepted")
        }
    }

    /// Turns a frame with z up by −90° about x, so that y is up.
    private static func upright(_ numbers: [Double]) -> (Waymark.Vector, Waymark.Quaternion) {
        let half = 0.5.squareRoot()
        let (x, y, z, w) = (numbers[4], numbers[5], numbers[6], numbers[7])
        return (
            Waymark.Vector(x: numbers[1], y: numbers[3], z: -numbers[2]),
            Waymark.Quaternion(x: half * (x - w), y: half * (y + z), z: half * (z - y), w: half * (w + x))
        )
    }

    private static func pause() {
        var time = timespec(tv_sec: 0, tv_nsec: 1_000_000)
        nanosleep(&time, nil)
    }
}
