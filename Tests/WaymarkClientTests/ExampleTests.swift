import Foundation
import Testing
import WaymarkClient

// What follows the imports is the example of Sources/Wire/WaymarkClient/README.md, which may name no other module.

/// Prints the wearer's position once per second, until it is known to 5 m.
func watch() async throws(WaymarkError) {
    print("daemon \(try Waymark.Client().status().version)")
    for try await pose in Waymark.poses(rate: 1) {
        guard let geo = pose.geo, let accuracy = pose.accuracy.horizontalAccuracy else {
            print("no position yet: \(pose.reasons)")
            continue
        }
        print(geo.latitude, geo.longitude, "±\(accuracy) m")
        if accuracy < 5 { return }
    }
}

// End of the example. A program that uses the library may have types of these names.

private struct Pose {}
private struct Scene {}
private struct Status {}

@Suite("The example for programs") struct ExampleTests {
    @Test("the example of the readme compiles and runs against a daemon") func example() async throws {
        let daemon = try FakeDaemon()
        _ = (Pose(), Scene(), Status())
        setenv("WAYMARK_SOCKET", daemon.path, 1)
        defer { unsetenv("WAYMARK_SOCKET") }
        try await watch()
        withExtendedLifetime(daemon) {}
    }

    @Test("its text is that of the readme and of the chapter on clients") func text() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let own = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let begin = try #require(own.range(of: "/// Prints the")).lowerBound
        let end = try #require(own.range(of: "\n// End of the example")).lowerBound
        let example = "```swift\nimport WaymarkClient\n\n\(own[begin..<end])```\n"
        for path in ["../../Sources/Wire/WaymarkClient/README.md", "../../docs/protocol.md"] {
            let document = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            #expect(document.contains(example), "\(path) has another example")
        }
    }
}
