import Foundation
import Testing
import WaymarkClient

// What follows the imports is the example of Sources/WaymarkClient/README.md, which may name no other module.

/// Prints where the wearer is, once per second, until something ahead is less than 20 m away.
func watch(_ client: Waymark.Client) async throws(WaymarkError) {
    print("daemon \(try client.status().version)")
    for try await pose in Waymark.poses(rate: 1) {
        guard let geo = pose.geo, pose.state == .localized else { continue }
        print(geo.latitude, geo.longitude, pose.heading ?? .nan, pose.reasons.words)
        guard let next = try client.ahead(limit: 1).first, next.distance < 20 else { continue }
        return print("\(next.name) is ahead")
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
        let client = try Waymark.Client(path: daemon.path)
        setenv("WAYMARK_SOCKET", daemon.path, 1)
        defer { unsetenv("WAYMARK_SOCKET") }
        try await watch(client)
        withExtendedLifetime(daemon) {}
    }

    @Test("its text is that of the readme and of the chapter on clients") func text() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let own = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let begin = try #require(own.range(of: "/// Prints where")).lowerBound
        let end = try #require(own.range(of: "\n// End of the example")).lowerBound
        let example = "```swift\nimport WaymarkClient\n\n\(own[begin..<end])```\n"
        for path in ["../../Sources/WaymarkClient/README.md", "../../docs/protocol.md"] {
            let document = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            #expect(document.contains(example), "\(path) has another example")
        }
    }
}
