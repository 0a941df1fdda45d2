import Calibration
import Geometry
import Simulation
import Testing

@Suite("Repeated samples")
struct RepeatedSamplesTests {
    @Test("a sensor that is put down and hardly ever changes repeats by chance", arguments: [0, 5000], [700, 750])
    func putDown(change: Int, after handled: Int) {
        var repeats = RepeatedSamples()
        for row in 0..<3000 {
            let number = row < handled ? Double(row) : change > 0 && row % change == 2500 ? -1 : -2
            _ = repeats.add(Vector3(number, 2 * number, number < 0 ? 0.5 : 3 * number))
        }
        #expect(repeats.repeated > 2000 && !repeats.areStale)
    }

    @Test("rows that were not measured are found at any share of them", arguments: [0.02, 0.1, 0.5, 0.9])
    func stale(share: Double) {
        var random = RandomSource(seed: 3)
        var repeats = RepeatedSamples()
        var last = Vector3.zero
        for _ in 0..<2000 {
            if random.uniform() >= share { last = Vector3(random.normal(), random.normal(), random.normal()) }
            _ = repeats.add(last)
        }
        #expect(repeats.areStale)
    }
}
