import Fleet
import TestTools
import Testing

@Suite("Reconnect pause")
struct ReconnectPauseTests {
    @Test("Pauses grow to the limit and are never short")
    func pausesGrowLimitNever() {
        var random = SplitMix(seed: 3)
        for _ in 0..<100 {
            var pause = ReconnectPause()
            for limit in [1.0, 2, 4, 8, 16, 30, 30, 30] {
                let next = pause.next(using: &random)
                #expect((limit / 2...limit).contains(next))
            }
            pause.reset()
            #expect(pause.next(using: &random) <= 1)
        }
    }

    @Test("Two clients do not come back together")
    func twoClientsDoNot() {
        var random = SplitMix(seed: 4)
        var (first, second) = (ReconnectPause(), ReconnectPause())
        #expect(first.next(using: &random) != second.next(using: &random))
    }
}
