import Sensors
import Testing

@Suite struct StampClockTests {
    private static let second: Int64 = 1_000_000_000

    @Test("a stamp of the realtime clock becomes boot time")
    func direct() {
        var converter = StampConverter(clock: .realtime, isForeign: false)
        let offset = -1_700_000_000 * Self.second
        converter.beginBatch(newest: 1_700_000_100 * Self.second, arrival: 100_002_000_000, clockOffset: offset)
        #expect(converter.convert(1_700_000_100 * Self.second, arrival: 100_002_000_000) == 100 * Self.second)
        #expect(!converter.isMapped && converter.clockSteps == 0)
    }

    @Test(
        "a step of the clock does not get into the samples, neither before nor after it",
        arguments: [
            -3600, -2, 2, 3600,
        ])
    func clockStep(stepSeconds: Int64) {
        var converter = StampConverter(clock: .realtime, isForeign: false)
        let epoch = 1_700_000_000 * Self.second
        // 10 ms batches; the clock steps at 100.5 s, between the sample of 100.5 s and its read 1 ms later.
        for batch in 0..<200 {
            let truth = 100 * Self.second + Int64(batch) * 10_000_000
            let before = truth <= 100 * Self.second + Self.second / 2
            let step = stepSeconds * Self.second
            let stamp = truth + epoch + (before ? 0 : step)
            let arrival = truth + 1_000_000
            let isSteppedNow = arrival > 100 * Self.second + Self.second / 2
            let offset = -epoch - (isSteppedNow ? step : 0)
            converter.beginBatch(newest: stamp, arrival: arrival, clockOffset: offset)
            let time = converter.convert(stamp, arrival: arrival)
            #expect(time == truth)
        }
        #expect(converter.clockSteps == 1)
    }

    @Test("stamps of another computer follow the fastest arrival")
    func foreign() throws {
        var converter = StampConverter(clock: .boottime, isForeign: true)
        let shift = 777_777 * Self.second
        var worst: Int64 = 0
        for batch in 0..<1000 {
            let truth = Int64(batch) * 10_000_000
            // Delays of 2 to 11 ms; the fastest comes every tenth time.
            let delay = Int64(2 + (batch * 7) % 10) * 1_000_000
            converter.beginBatch(newest: truth + shift, arrival: truth + delay, clockOffset: 0)
            let converted = converter.convert(truth + shift, arrival: truth + delay)
            let time = try #require(converted)
            if batch > 10 { worst = max(worst, abs(time - truth - 2_000_000)) }
        }
        #expect(converter.isMapped)
        // Ten batches of 10 ms let the offset creep by at most 10 µs between two fastest ones.
        #expect(worst <= 20_000)
    }

    @Test("stamps that cannot be are mapped by their arrival", arguments: [-3_600, 5, 100_000])
    func implausible(shiftSeconds: Int64) throws {
        var converter = StampConverter(clock: .boottime, isForeign: false)
        let arrival = 500_000 * Self.second
        let stamp = arrival + shiftSeconds * Self.second
        converter.beginBatch(newest: stamp, arrival: arrival, clockOffset: 0)
        #expect(converter.isMapped)
        #expect(converter.convert(stamp, arrival: arrival) == arrival)
    }

    @Test("unset, repeated and reordered stamps are refused; after half a second the new order counts")
    func order() {
        var converter = StampConverter(clock: .boottime, isForeign: false)
        let start = 50 * Self.second
        converter.beginBatch(newest: start, arrival: start, clockOffset: 0)
        #expect(converter.convert(start, arrival: start) == start)
        #expect(converter.convert(start, arrival: start) == nil)
        #expect(converter.convert(start - 1, arrival: start) == nil)
        #expect(converter.convert(0, arrival: start) == nil)
        #expect(converter.convert(start - 1, arrival: start + 600_000_000) == start - 1)
    }

    @Test(
        "extreme stamps neither trap nor wrap",
        arguments: [(Int64.min, 0), (Int64.min + 1, 3), (-1, 6), (1, 6), (Int64.max - 1, 6), (Int64.max, 6)])
    func extremes(stamp: Int64, expected: Int) {
        var converted = 0
        for offset in [Int64.min / 2, 0, Int64.max / 2] {
            var converter = StampConverter(clock: .realtime, isForeign: false)
            for arrival in [0, 1, 100 * Self.second] {
                converter.beginBatch(newest: stamp, arrival: arrival, clockOffset: offset)
                if let time = converter.convert(stamp, arrival: arrival) {
                    #expect(abs(time.distance(to: arrival)) <= 11 * Self.second)
                    converted += 1
                }
            }
        }
        #expect(converted == expected)
    }

    @Test(
        "a stamp in the middle of a batch that cannot be is refused, and holds up none behind it",
        arguments: [Int64.min + 1, -1, 1, Int64.max - 1, 39 * second, 51 * second])
    func strayed(stamp: Int64) {
        var converter = StampConverter(clock: .boottime, isForeign: false)
        let arrival = 50 * Self.second
        converter.beginBatch(newest: arrival, arrival: arrival, clockOffset: 0)
        #expect(converter.convert(stamp, arrival: arrival) == nil)
        #expect(converter.convert(arrival, arrival: arrival) == arrival)
    }

    @Test("batches without stamps are spread evenly and never reach back")
    func spread() {
        var stamper = ArrivalStamper()
        #expect(stamper.spread(count: 4, arrival: 1000, period: 100) == (700, 100))
        // On time: the next four follow at the period.
        #expect(stamper.spread(count: 4, arrival: 1400, period: 100) == (1100, 100))
        // Early by half: drawn together between the last and the arrival.
        let early = stamper.spread(count: 4, arrival: 1600, period: 100)
        #expect(early == (1450, 50))
        // At once again: still forward.
        let again = stamper.spread(count: 2, arrival: 1600, period: 100)
        #expect(again.first > 1600 && again.step > 0)
    }
}
