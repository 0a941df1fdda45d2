import Service
import Testing
import WaymarkInterface

@Suite("States of sources of aiding measurements")
struct AidSourceStateTests {
    private typealias Trust = AidInterface.AidTrust

    private func state(
        _ kinds: WordSet<AidInterface.AidKind>, age: Double?, _ found: AidInterface.AidTrustState...
    ) -> AidInterface.AidSourceState {
        AidInterface.AidSourceState(
            of: kinds, age: age,
            found.map { Trust(kind: .known(.height), state: .known($0), applied: 0, refused: 0) })
    }

    @Test("a source is as its worst kind is")
    func worst() {
        #expect(state([.height], age: 0.1, .trusted) == .trusted)
        #expect(state([.height, .range], age: 0.1, .trusted, .watched) == .watched)
        #expect(state([.height, .range, .heading], age: 0.1, .watched, .refused, .trusted) == .refused)
    }

    @Test("a source of samples alone, which nothing checks, is used")
    func samples() { #expect(state([.samples], age: 0.1) == .used) }

    @Test("a source that has measured nothing yet waits")
    func waiting() {
        #expect(state([.odometry], age: nil, .watched) == .waiting)
        #expect(state([.samples], age: nil) == .waiting)
    }

    @Test("a camera that is silent for a second is lost; other sources may measure rarely")
    func silence() {
        #expect(state([.odometry], age: 1, .trusted) == .trusted)
        #expect(state([.odometry, .height], age: 1.1, .trusted, .refused) == .lost)
        #expect(state([.height], age: 50, .trusted) == .trusted)
    }
}
