import Geometry
import Pages
import Testing

@Suite("Values and tracks of long recordings")
struct PeakSeriesTests {
    @Test("a peak of a single sample stays in a long series, with its time", arguments: [10, 1000, 100_000, 360_000])
    func peaks(count: Int) {
        var series = PeakSeries(limit: 100)
        let (high, low) = (count / 3, count * 2 / 3)
        for number in 0..<count {
            series.add(Double(number) * 0.01, number == high ? 50 : number == low ? -50 : Double(number % 7))
        }
        let samples = series.samples
        #expect(samples.count <= 200)
        #expect(samples.contains { $0.value == 50 && ($0.time - Double(high) * 0.01).magnitude < 1e-9 })
        #expect(samples.contains { $0.value == -50 && ($0.time - Double(low) * 0.01).magnitude < 1e-9 })
        #expect(samples.map(\.time) == samples.map(\.time).sorted())
    }

    @Test("a series no longer than its bins keeps all of its samples")
    func short() {
        var series = PeakSeries(limit: 100)
        for number in 0..<80 { series.add(Double(number) * 0.02 + 0.01, Double(number * number % 13)) }
        #expect(series.samples.map(\.value) == (0..<80).map { Double($0 * $0 % 13) })
    }

    @Test("unknown values and silence interrupt the line")
    func gaps() {
        var series = PeakSeries(maximumStep: 1)
        series.add(0, 1)
        series.add(0.5, nil)
        series.add(0.9, 2)
        series.add(1, 3)
        series.add(5, 4)
        series.add(5.5, .nan)
        series.add(6, 5)
        #expect(series.samples.map(\.value) == [1, 2, 3, 4, 5])
        #expect(series.samples.map(\.isAfterGap) == [false, true, false, true, true])
    }

    @Test(
        "times from the ends of any clock, or before those before, leave a bounded series",
        arguments: [[0, 4.6e9, -4.6e9], [-4.6e9, 4.6e9, 0], [1e300, -1e300, 5], [5, 4, 3, 2, 1]])
    func hostileTimes(times: [Double]) {
        var (series, track) = (PeakSeries(limit: 10), TrackSeries(limit: 10))
        let place = GeodeticPosition(latitudeDegrees: 1, longitudeDegrees: 2, ellipsoidalHeight: 3)
        for time in times {
            series.add(time, 1)
            track.add(time, place)
        }
        #expect((1...20).contains(series.samples.count))
        #expect((1...40).contains(track.points.count))
    }

    @Test("a short excursion stays in a long track, over the antimeridian too")
    func excursion() throws {
        var track = TrackSeries(limit: 50)
        for number in 0..<100_000 {
            let east = number == 70_001 ? 0.01 : 0
            let longitude = 179.999 + east
            let position = GeodeticPosition(
                latitudeDegrees: 10 + (number == 20_001 ? 0.5 : 0),
                longitudeDegrees: longitude > 180 ? longitude - 360 : longitude, ellipsoidalHeight: 0)
            track.add(Double(number) * 0.01, position)
        }
        #expect(track.points.count <= 200)
        #expect(track.points.contains { $0.time == 700.01 && $0.position.longitudeDegrees < -179.9 })
        #expect(track.points.contains { $0.time == 200.01 && $0.position.latitudeDegrees == 10.5 })
    }
}
