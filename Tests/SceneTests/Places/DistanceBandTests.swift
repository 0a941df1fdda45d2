import Scene
import Testing

@Suite("Distance bands")
struct DistanceBandTests {
    let settings = SceneSettings().places

    @Test("behaviour 31: near up to 200 m, middle up to 500 m, then far")
    func bands() {
        let bands = [0, 199.9, 200, 499.9, 500, 1e9].map { DistanceBand.of($0, settings: settings) }
        #expect(bands == [.near, .near, .middle, .middle, .far, .far])
    }

    @Test("behaviour 31: a band changes 5 m beyond its end, from either side")
    func hysteresis() {
        var tracker = BandTracker()
        let walk: [(Double, DistanceBand)] = [
            (199, .near), (204.9, .near), (205.1, .middle), (195.1, .middle), (194.9, .near), (504, .middle),
            (506, .far), (496, .far), (494, .middle), (700, .far), (10, .near), (700, .far), (198, .middle),
        ]
        for (distance, band) in walk { #expect(tracker.update(distance: distance, settings: settings) == band) }
        #expect(tracker.band == .middle)
    }

    @Test("behaviour 31: noise of less than the margin changes nothing")
    func noise() {
        var draws = Draws(state: 1)
        for end in [200.0, 500] {
            var tracker = BandTracker()
            let band = tracker.update(distance: end, settings: settings)
            for _ in 0..<1000 {
                #expect(tracker.update(distance: end + draws.number(-4.9...4.9), settings: settings) == band)
            }
        }
    }

    @Test("a distance that is not a number changes nothing")
    func notANumber() {
        var tracker = BandTracker()
        #expect(tracker.update(distance: .nan, settings: settings) == .far && tracker.band == nil)
        tracker.update(distance: 10, settings: settings)
        #expect(tracker.update(distance: .nan, settings: settings) == .near)
    }
}
