import Geometry
import Glibc
import Scene
import Testing

@Suite("Who will meet whom")
struct LabelSightTests {
    @Test("the time until two directions meet is that of small steps", arguments: 0..<200)
    func steps(seed: Int) {
        var draws = Draws(state: UInt64(seed))
        let places = (0..<2).map { _ in (draws.number(-200...200), draws.number(-200...200)) }
        let (v, w) = (draws.number(-2...2), draws.number(-2...2))
        let width = draws.number(0.02...0.5)
        func sight(_ index: Int, _ seconds: Double) -> LabelSight {
            let (east, north) = (places[index].0 - v * seconds, places[index].1 - w * seconds)
            return LabelSight(azimuth: atan2(east, north), distance: hypot(east, north))
        }
        let computed = sight(0, 0).seconds(untilWithin: width, of: sight(1, 0), east: v, north: w)
        let step = 0.005
        let found = stride(from: 0.0, through: 120, by: step).first {
            sight(0, $0).gap(to: sight(1, $0)) <= width
        }
        if let found {
            // One step.
            #expect(abs(computed - found) <= 1.001 * step)
        } else {
            #expect(computed > 120)
        }
    }

    @Test("a wearer who stands still meets none; what overlaps already meets at once")
    func still() {
        let a = LabelSight(azimuth: 0.1, distance: 100)
        let b = LabelSight(azimuth: 0.3, distance: 50)
        #expect(a.seconds(untilWithin: 0.1, of: b, east: 0, north: 0) == .infinity)
        #expect(a.seconds(untilWithin: 0.3, of: b, east: 1, north: 1) == 0)
    }
}
