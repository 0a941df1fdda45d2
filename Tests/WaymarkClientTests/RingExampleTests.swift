import CPoseRing
import Foundation
import Linux
import Testing
import TestTools
import WaymarkClient

// What follows the imports is the example of docs/protocol.md, which may name no other module.

/// Draws frames with the pose predicted for the moment at which each is displayed.
///
/// - Parameters:
///   - displayTime: when the next frame is on the display, CLOCK_BOOTTIME in nanoseconds; nil to end.
///   - render: draws it.
func draw(
    displayTime: () -> Int64?, render: (Waymark.Quaternion, Waymark.Vector) -> Void
) throws(WaymarkError) {
    let ring = try Waymark.PoseRing()
    while let time = displayTime() {
        // Neither blocks nor allocates. Old poses remain while the daemon is restarted.
        guard ring.isConnected, let pose = ring.pose(atDisplayTime: time) else { continue }
        render(pose.orientation, pose.position)
    }
}

// End of the example.

@Suite("The example for threads that draw") struct RingExampleTests {
    @Test("the example of the chapter on the pose ring compiles and runs against a daemon") func example() throws {
        let daemon = try FakeRing()
        setenv("WAYMARK_POSE_RING", daemon.path, 1)
        defer { unsetenv("WAYMARK_POSE_RING") }
        var times: [Int64] = [FakeRing.time + 200_000_000, FakeRing.time + 20_000_000, FakeRing.time]
        var drawn: [Double] = []
        try draw(displayTime: { times.popLast() }, render: { drawn.append($1.x) })
        // 2 m/s, at most 0.1 s ahead.
        #expect(drawn.count == 3)
        for (found, expected) in zip(drawn, [1, 1.04, 1.2]) { #expect(abs(found - expected) < 1e-12) }
        withExtendedLifetime(daemon) {}
    }

    @Test("its text is that of the chapter") func text() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let own = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let begin = try #require(own.range(of: "/// Draws frames")).lowerBound
        let end = try #require(own.range(of: "\n// End of the example")).lowerBound
        let example = "```swift\nimport WaymarkClient\n\n\(own[begin..<end])```\n"
        let document = try String(contentsOf: folder.appending(path: "../../docs/protocol.md"), encoding: .utf8)
        #expect(document.contains(example))
    }
}

@Suite("Offers that are no pose ring") struct RingOfferTests {
    @Test("an offer of another layout or with another magic, or a ring of another boot, is refused")
    func refused() throws {
        var offer = waymark_ring_make_offer(WAYMARK_RING_GRANTED)
        offer.layout_version = 2
        let newer = try FakeRing(offer: offer)
        #expect(throws: WaymarkError.ringOtherLayout) { try Waymark.PoseRing(path: newer.path) }
        offer.magic.0 = 0
        let other = try FakeRing(offer: offer)
        #expect(throws: WaymarkError.self) { try Waymark.PoseRing(path: other.path) }
        let earlier = try FakeRing(boot: [UInt8](repeating: 1, count: 16))
        #expect(throws: WaymarkError.ringOtherBoot) { try Waymark.PoseRing(path: earlier.path) }
        let writable = try FakeRing(seals: false)
        #expect(throws: WaymarkError.self) { try Waymark.PoseRing(path: writable.path) }
        let mute = try FakeRing(descriptors: 1)
        #expect(throws: WaymarkError.self) { try Waymark.PoseRing(path: mute.path) }
    }
}
