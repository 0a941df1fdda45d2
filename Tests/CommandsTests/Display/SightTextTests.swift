import Commands
import Testing

@Suite("Sightings of the wearer, in words")
struct SightTextTests {
    private func line(_ verdict: SightOutcome.Verdict, isSun: Bool = false) -> String {
        SightText.line(
            SightOutcome(
                verdict: verdict, isSun: isSun, before: nil,
                after: SightOutcome.Heading(degrees: 359.99, accuracy: 2.04)))
    }

    @Test("one that was used has the heading before and after it, others what to do")
    func lines() {
        #expect(line(.used) == "used: heading unknown, now 0.0° ±2.0°")
        #expect(line(.refused).hasPrefix("refused: contradicts the heading 0.0° ±2.0°; look at it"))
        #expect(line(.notCompared).contains("so near a place"))
        #expect(line(.notCompared, isSun: true).contains("date"))
    }
}
