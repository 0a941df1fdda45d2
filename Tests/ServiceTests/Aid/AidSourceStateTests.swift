import Service
import Testing
import WaymarkInterface

@Suite("States of sources of aiding measurements")
struct AidSourceStateTests {
    private typealias Trust = AidInterface.AidTrust

    private func state(
        age: Double?, poseAge: Double? = nil, _ found: AidInterface.AidTrustState...
    ) -> AidInterface.AidSourceState {
        AidInterface.AidSourceState(
            age: age, poseAge: poseAge,
            found.map { Trust(kind: .known(.height), state: .known($0), applied: 0, refused: 0) })
    }

    @Test("a source is as its worst kind is")
    func worst() {
        #expect(state(age: 0.1, .trusted) == .trusted)
        #expect(state(age: 0.1, .trusted, .watched) == .watched)
        #expect(state(age: 0.1, .watched, .refused, .trusted) == .refused)
    }

    @Test("a source of samples alone, which nothing checks, is used")
    func samples() { #expect(state(age: 0.1) == .used) }

    @Test("a source that has measured nothing yet waits")
    func waiting() {
        #expect(state(age: nil, .watched) == .waiting)
        #expect(state(age: nil) == .waiting)
    }

    @Test("a camera without a pose for a second is lost, whatever else it offers; other sources may measure rarely")
    func silence() {
        #expect(state(age: 1, poseAge: 1, .trusted) == .trusted)
        #expect(state(age: 0.1, poseAge: 1.1, .trusted, .refused) == .lost)
        #expect(state(age: 50, .trusted) == .trusted)
    }
}
