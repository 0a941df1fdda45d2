import Engine
import Geometry
import Model
import Scene
import Testing

@Suite("What a correction rests on")
struct CorrectionEvidenceTests {
    @Test(
        "behaviour 49: the log of a correction of north names the pairs and the angle that went in",
        arguments: [16, 56] as [UInt64])
    func pairs(seed: UInt64) throws {
        var walk = try FrameWalk(seed: seed)
        walk.fieldTurn = .pi / 3
        // A receiver that trusts itself little shows the heading only after some pairs.
        walk.velocitySigma = 0.5
        walk.fieldSeconds = .infinity
        var engine = Engine()
        try walk.run(seconds: 100, through: &engine) { _, _, _ in }
        let history = engine.frameHistory
        let corrections = (0..<history.count).map { history[$0] }
        let correction = try #require(corrections.first { $0.evidence != nil })
        #expect(correction.isLarge && correction.causes.contains(.headingSearch))
        let pairs = try #require(correction.evidence?.velocities)
        #expect(pairs.count >= 10)
        let angle = try #require(pairs.correction)
        #expect((angle - correction.turn).magnitude < 3 * pairs.standardDeviation, "both counter-clockwise")
        let said = try #require(
            correction.text.firstMatch(
                of: /turned [0-9.]+° ([a-z-]+).*; ([0-9]+) pairs of velocities indicate [0-9.]+° ± [0-9.]+° ([a-z-]+)/),
            "\(correction.text)")
        #expect(Int(said.2) == pairs.count && said.1 == said.3, "both as content turned")
        for other in corrections where other.causes.isDisjoint(with: FrameCauses(.headingSearch)) {
            #expect(other.evidence == nil, "what pairs did not bring about does not name them")
        }
    }
}
