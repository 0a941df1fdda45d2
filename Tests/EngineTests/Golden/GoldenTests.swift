import Foundation
import Testing

@Suite("Golden replays")
struct GoldenTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Golden")

    /// With WAYMARK_RECORD=1 what differs is written anew, and the run fails so that it is not taken for a check.
    @Test("the poses of a simulated walk are those in its file", arguments: GoldenWalk.all)
    func replay(walk: GoldenWalk) throws {
        let file = Self.folder.appending(path: "\(walk.name).csv")
        let poses = try #require(walk.poses())
        #expect(poses.count > 25)
        let kept = try? String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        let difference = Self.firstDifference(poses, kept ?? [])
        if let difference, ProcessInfo.processInfo.environment["WAYMARK_RECORD"] == "1" {
            let lines = [GoldenPose.header] + poses.map(\.line)
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
            Issue.record("\(file.path) was written anew from \(difference): look at the difference")
        } else if let difference {
            Issue.record(
                """
                \(file.path), \(difference). Where this is meant, WAYMARK_RECORD=1 writes it anew; commit it with the change.
                """)
        }
    }

    /// Where poses and file part, in words.
    private static func firstDifference(_ poses: [GoldenPose], _ kept: [String]) -> String? {
        guard kept.first == GoldenPose.header else { return "its header" }
        guard kept.count == poses.count + 1 else { return "its number of rows" }
        for (pose, line) in zip(poses, kept.dropFirst()) {
            guard let row = GoldenPose(line: line), row.agrees(with: pose) else { return "\(line) is now \(pose.line)" }
        }
        return nil
    }
}
