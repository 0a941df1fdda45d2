import Sensors
import Testing

@Suite("Assembling an epoch")
struct EpochAssemblerTests {
    private static let second: Int64 = 1_000_000_000
    private static let millisecond: Int64 = 1_000_000

    private func fix(_ time: Int64?, latitude: Double? = 48) -> GPSDReport.FixReport {
        var fix = GPSDReport.FixReport()
        fix.time = time
        fix.position = latitude.map { .init(latitudeDegrees: $0, longitudeDegrees: 11) }
        return fix
    }

    private func sigmas(_ time: Int64, _ east: Double = 1) -> GPSDReport.SigmaReport {
        .init(time: time, east: east, north: 2, up: 3)
    }

    /// An assembler that has learned that its receiver reports each epoch once, with standard deviations or without.
    private func experienced(withSigmas: Bool) -> EpochAssembler {
        var assembler = EpochAssembler()
        for epoch in 1...10 as ClosedRange<Int64> {
            let time = epoch * Self.second
            if withSigmas { _ = assembler.take(sigmas(time)) }
            _ = assembler.take(fix(time), arrival: time)
            _ = assembler.expire(now: time + 100 * Self.millisecond)
        }
        return assembler
    }

    @Test("a receiver that sends nothing more is not waited for")
    func immediate() {
        var assembler = experienced(withSigmas: false)
        let finished = assembler.take(fix(20 * Self.second), arrival: 5)
        #expect(finished.map(\.time) == [20 * Self.second])
        #expect(finished.first?.arrival == 5)
        #expect(finished.first?.sigmas == nil)
        #expect(assembler.deadline == nil)
    }

    @Test("standard deviations are waited for, in either order")
    func order() {
        for sigmasFirst in [true, false] {
            var assembler = experienced(withSigmas: true)
            let time = 20 * Self.second
            let first = sigmasFirst ? assembler.take(sigmas(time, 7)) : assembler.take(fix(time), arrival: time)
            #expect(first.isEmpty)
            let second = sigmasFirst ? assembler.take(fix(time), arrival: time) : assembler.take(sigmas(time, 7))
            #expect(second.map(\.sigmas?.east) == [7])
        }
    }

    @Test("a fix waits no longer than it may; the deviations of the epoch before stand in while they are fresh")
    func deadline() {
        var assembler = experienced(withSigmas: true)
        let time = 11 * Self.second
        #expect(assembler.take(fix(time), arrival: 1000).isEmpty)
        #expect(assembler.deadline == 1000 + EpochAssembler.holdNanoseconds)
        #expect(assembler.expire(now: 1000 + EpochAssembler.holdNanoseconds - 1).isEmpty)
        let finished = assembler.expire(now: 1000 + EpochAssembler.holdNanoseconds)
        #expect(finished.map(\.sigmas?.time) == [10 * Self.second])
        let later = 14 * Self.second
        _ = assembler.take(fix(later), arrival: later)
        #expect(assembler.expire(now: later + Self.second).map(\.sigmas) == [nil])
    }

    @Test("several reports of one epoch make one fix, the last of them, arrived when the first did")
    func repeated() {
        var assembler = EpochAssembler()
        let time = 20 * Self.second
        #expect(assembler.take(fix(time, latitude: 1), arrival: 100).isEmpty)
        #expect(assembler.take(fix(time, latitude: 2), arrival: 200).isEmpty)
        let finished = assembler.expire(now: 100 + EpochAssembler.maximumHoldNanoseconds)
        #expect(finished.map(\.fix.position?.latitudeDegrees) == [2])
        #expect(finished.map(\.arrival) == [100])
        #expect(assembler.take(fix(time, latitude: 3), arrival: 300).isEmpty)
        #expect(assembler.expire(now: Self.second).isEmpty)
    }

    @Test("the next epoch ends the waiting of the one before")
    func next() {
        var assembler = EpochAssembler()
        #expect(assembler.take(fix(20 * Self.second), arrival: 0).isEmpty)
        #expect(assembler.take(fix(21 * Self.second), arrival: 1).map(\.time) == [20 * Self.second])
        #expect(assembler.expire(now: Self.second).map(\.time) == [21 * Self.second])
    }

    @Test("an older epoch is a repetition, a much older one a receiver whose clock was put right")
    func backwards() {
        var assembler = experienced(withSigmas: false)
        #expect(assembler.take(fix(100 * Self.second), arrival: 0).count == 1)
        #expect(assembler.take(fix(98 * Self.second), arrival: 1).isEmpty)
        #expect(assembler.take(fix(50 * Self.second), arrival: 2).count == 1)
        #expect(assembler.take(fix(51 * Self.second), arrival: 3).count == 1)
    }

    @Test("a report without time or position is no fix and ends none, where others have both")
    func incomplete() {
        var assembler = experienced(withSigmas: false)
        #expect(assembler.take(fix(nil), arrival: 0).isEmpty)
        #expect(assembler.take(fix(20 * Self.second, latitude: nil), arrival: 0).isEmpty)
        #expect(assembler.deadline == nil)
    }

    /// What a receiver on a slow line makes of one epoch: its position, and its velocity later.
    private func slowEpoch(_ number: Int64, delay: Int64, into assembler: inout EpochAssembler) -> [EpochAssembler
        .Epoch]
    {
        let time = number * Self.second
        var moving = fix(time)
        (moving.east, moving.north) = (1, 2)
        var finished = assembler.expire(now: time)
        finished += assembler.take(fix(time), arrival: time)
        // As the client does: deadlines that have passed come before what arrives.
        finished += assembler.expire(now: time + delay)
        finished += assembler.take(moving, arrival: time + delay)
        return finished + assembler.expire(now: time + Self.second - 1)
    }

    @Test(
        "a velocity that follows its position by tenths of a second is kept, from the first epoch on",
        arguments: [
            100, 250, 360,
        ] as [Int64])
    func slow(delay: Int64) {
        var assembler = EpochAssembler()
        for number in 1...30 as ClosedRange<Int64> {
            let finished = slowEpoch(number, delay: delay * Self.millisecond, into: &assembler)
            #expect(finished.map(\.fix.east) == [1])
            #expect(finished.map(\.arrival) == [number * Self.second])
        }
        // No longer than is known to be needed.
        _ = assembler.take(fix(40 * Self.second), arrival: 0)
        #expect(
            assembler.deadline == delay * 3 / 2 * Self.millisecond + EpochAssembler.holdNanoseconds
                || assembler.deadline == EpochAssembler.maximumHoldNanoseconds)
    }

    @Test("a receiver that becomes slow loses a velocity and gets the following ones")
    func becomesSlow() {
        var assembler = EpochAssembler()
        for number in 1...10 as ClosedRange<Int64> {
            _ = slowEpoch(number, delay: 10 * Self.millisecond, into: &assembler)
        }
        #expect(slowEpoch(11, delay: 200 * Self.millisecond, into: &assembler).map(\.fix.east) == [nil])
        for number in 12...20 as ClosedRange<Int64> {
            #expect(slowEpoch(number, delay: 200 * Self.millisecond, into: &assembler).map(\.fix.east) == [1])
        }
    }

    @Test("ten epochs a second are held for less than half of their interval")
    func fast() {
        var assembler = EpochAssembler()
        var arrival: Int64 = 0
        for number in 1...10 as ClosedRange<Int64> {
            arrival = number * 100 * Self.millisecond
            let finished = assembler.take(fix(20 * Self.second + arrival), arrival: arrival)
            // The first ones wait for the next at most.
            #expect(finished.count == (number == 1 ? 0 : 1) || number > 2)
            if number > 2 { #expect((assembler.deadline ?? arrival) <= arrival + 45 * Self.millisecond) }
            _ = assembler.expire(now: arrival + 50 * Self.millisecond)
        }
    }

    @Test("what an epoch's last report leaves out is taken of the ones before")
    func merged() {
        var assembler = EpochAssembler()
        let time = 20 * Self.second
        var first = fix(time)
        (first.east, first.north, first.horizontalError) = (1, 2, 9)
        first.position?.ellipsoidalHeight = 500
        var second = fix(time)
        second.horizontalError = 7
        _ = assembler.take(first, arrival: 0)
        _ = assembler.take(second, arrival: 1)
        let whole = assembler.expire(now: Self.second).first?.fix
        #expect(whole?.east == 1 && whole?.north == 2 && whole?.horizontalError == 7)
        #expect(whole?.position?.ellipsoidalHeight == 500 && whole?.isHeightHeld == false)
        // A receiver that has lost a dimension holds the height that it had.
        second.isHeightHeld = true
        second.time = time + Self.second
        first.time = second.time
        _ = assembler.take(first, arrival: Self.second)
        _ = assembler.take(second, arrival: Self.second + 1)
        #expect(assembler.expire(now: 2 * Self.second).first?.fix.isHeightHeld == true)
    }

    /// Fixes without a time, each reported `reports` times a tenth of a second apart, at `rate` epochs a second.
    private func timeless(
        _ places: [Double], reports: Int64 = 1, rate: Double = 1, isClockStuck: Bool = false
    ) -> [EpochAssembler.Epoch] {
        var assembler = EpochAssembler()
        var finished: [EpochAssembler.Epoch] = []
        var arrival: Int64 = 0
        for (number, place) in places.enumerated() {
            for report in 0..<reports {
                arrival = Int64(Double(number) / rate * 1e9) + report * 100 * Self.millisecond
                finished += assembler.expire(now: arrival)
                let time = isClockStuck ? 7 * Self.second : nil
                finished += assembler.take(fix(time, latitude: place), arrival: arrival, isClockStuck: isClockStuck)
            }
        }
        return finished + assembler.expire(now: arrival + Self.second)
    }

    @Test(
        "fixes of a receiver without a time are used after a while, each once, by their arrival",
        arguments: [1, 3, 5] as [Int64])
    func withoutTime(reports: Int64) {
        let moving = timeless((0..<20).map { 48 + Double($0) * 1e-5 }, reports: reports)
        #expect(moving.count == 17)
        #expect(moving.allSatisfy { $0.time == nil && $0.sigmas == nil })
        #expect(moving.map(\.arrival) == (3..<20).map { $0 * Self.second })
        // At rest they are equal, and measured again all the same.
        #expect(timeless(Array(repeating: 48, count: 20), reports: reports).count == 17)
    }

    @Test("of a receiver whose clock stands still only fixes at another place are used")
    func stuckClock() {
        let moving = timeless((0..<20).map { 48 + Double($0) * 1e-5 }, reports: 2, isClockStuck: true)
        #expect(moving.count == 17 && moving.allSatisfy { $0.time == nil })
        #expect(timeless(Array(repeating: 48, count: 20), reports: 2, isClockStuck: true).count == 1)
    }

    @Test("reports without a time among those that have one are no fixes")
    func mixed() {
        var assembler = EpochAssembler()
        var count = 0
        for number in 1...20 as ClosedRange<Int64> {
            let time = number * Self.second
            count += assembler.take(fix(nil, latitude: 47), arrival: time - 100 * Self.millisecond).count
            let finished =
                assembler.take(fix(time), arrival: time) + assembler.expire(now: time + 500 * Self.millisecond)
            #expect(finished.allSatisfy { $0.time != nil })
            count += finished.count
        }
        #expect(count == 20)
    }

    @Test(
        "of a receiver without a time, other places are other epochs, at its rate from the first on",
        arguments: [1, 5, 10] as [Double])
    func withoutTimeFast(rate: Double) {
        let moving = timeless((0..<60).map { 48 + Double($0) * 1e-5 }, rate: rate)
        let skipped = Int(2.5 * rate) + (rate.truncatingRemainder(dividingBy: 2) == 0 ? 0 : 1)
        #expect(moving.count == 60 - skipped)
        #expect(Set(moving.map(\.fix.position?.latitudeDegrees)).count == moving.count)
    }

    @Test("standard deviations that follow the fix are waited for as long as they need, on and on")
    func slowSigmas() {
        var assembler = EpochAssembler()
        for number in 1...40 as ClosedRange<Int64> {
            let time = number * Self.second
            var finished = assembler.take(fix(time), arrival: time)
            finished += assembler.expire(now: time + 200 * Self.millisecond)
            finished += assembler.take(sigmas(time), arrival: time + 200 * Self.millisecond)
            finished += assembler.expire(now: time + 900 * Self.millisecond)
            #expect(finished.map(\.sigmas?.time) == [time])
        }
    }

    /// Fixes of all epochs, each of a first report and a second one whose time differs.
    private func rounded(
        by difference: Int64, interval: Int64, isMoving: Bool = false,
        delay: Int64 = 5 * EpochAssemblerTests.millisecond
    ) -> [EpochAssembler.Epoch] {
        var assembler = EpochAssembler()
        var finished: [EpochAssembler.Epoch] = []
        for number in 1...40 as ClosedRange<Int64> {
            let time = number * interval
            let place = 48 + (isMoving ? Double(number) * 1e-5 : 0)
            finished += assembler.expire(now: time)
            finished += assembler.take(
                fix(time + (number % 2 == 0 ? difference : -difference), latitude: place), arrival: time)
            finished += assembler.expire(now: time + delay)
            finished += assembler.take(fix(time, latitude: place), arrival: time + delay)
        }
        return finished + assembler.expire(now: 41 * interval + Self.second)
    }

    @Test(
        "times of one place that differ by a rounding are of one epoch",
        arguments: [1, 3, 5, 9] as [Int64], [40, 100, 200, 1000, 2000] as [Int64])
    func rounding(difference: Int64, interval: Int64) {
        // Times that are cut off vary by most of a hundredth, which is too much of 40 ms.
        guard difference < 9 || interval > 40 else { return }
        for isMoving in [false, true] {
            for delay in [5, 10 * interval / 25] {
                let fixes = rounded(
                    by: difference * Self.millisecond, interval: interval * Self.millisecond, isMoving: isMoving,
                    delay: delay * Self.millisecond)
                #expect(fixes.count == 40, "\(isMoving) \(delay)")
            }
        }
    }

    @Test(
        "epochs of a fast receiver remain, at rest and in motion",
        arguments: [10, 20, 25, 50, 100] as [Int64], [0, 1e-5])
    func fastReceiver(rate: Int64, step: Double) {
        var assembler = EpochAssembler()
        var finished: [EpochAssembler.Epoch] = []
        for number in 1...200 as ClosedRange<Int64> {
            let time = number * Self.second / rate
            finished += assembler.expire(now: time)
            finished += assembler.take(fix(time, latitude: 48 + Double(number) * step), arrival: time)
        }
        finished += assembler.expire(now: 1000 * Self.second)
        #expect(finished.compactMap(\.time) == (1...200).map { $0 * Self.second / rate })
    }

    @Test("a velocity each second among ten positions is used at its own epoch, and no other waits for it")
    func rareVelocity() {
        var assembler = EpochAssembler()
        var finished: [EpochAssembler.Epoch] = []
        for number in 0..<60 as Range<Int64> {
            let time = Self.second + number * 100 * Self.millisecond
            let place = 48 + Double(number) * 1e-6
            finished += assembler.expire(now: time)
            let isSecond = number % 10 == 0
            let atOnce = assembler.take(fix(time, latitude: place), arrival: time)
            if number > 20 { #expect(atOnce.isEmpty == isSecond) }
            finished += atOnce
            guard isSecond else { continue }
            var moving = fix(time, latitude: place)
            (moving.east, moving.north) = (1, Double(number))
            let delay = 60 * Self.millisecond
            finished += assembler.expire(now: time + delay) + assembler.take(moving, arrival: time + delay)
        }
        finished += assembler.expire(now: 60 * Self.second)
        #expect(finished.map(\.time) == (0..<60).map { Self.second + $0 * 100 * Self.millisecond })
        // The second one comes after what was waited for, and shows the rhythm.
        #expect(finished.compactMap(\.fix.north) == [0, 20, 30, 40, 50])
    }

    /// The velocities upwards of fixes with these heights and climbs, one a second.
    private func climbs(
        _ heights: [Double], _ reported: [Double?], hasTime: Bool = true, isClimb: Bool = true
    ) -> [Double?] {
        var assembler = EpochAssembler()
        var finished: [EpochAssembler.Epoch] = []
        for (number, (height, climb)) in zip(heights, reported).enumerated() {
            let arrival = Int64(number + 1) * Self.second
            var fix = fix(hasTime ? arrival : nil, latitude: 48 + Double(number) * 1e-5)
            fix.position?.ellipsoidalHeight = height
            (fix.up, fix.isClimb) = (climb, isClimb && climb != nil)
            finished += assembler.expire(now: arrival) + assembler.take(fix, arrival: arrival)
        }
        return (finished + assembler.expire(now: 100 * Self.second)).map(\.fix.up)
    }

    @Test("a climb that gpsd made of heights is no velocity")
    func climb() {
        // Of the log hemi, and of a receiver that measures its velocity.
        #expect(climbs([-25.386, -26.271, -26.389, -26.348], [nil, -0.885, -0.118, 0.041]) == [nil, nil, nil, nil])
        #expect(climbs([500, 500.2, 501.1, 501.1], [0.4, 0.5, 0.6, 0.1]) == [nil, 0.5, 0.6, 0.1])
        // Without a time it derives none.
        #expect(climbs([500, 500, 500, 501, 502], [0, 0, 0, 1, 1], hasTime: false) == [1, 1])
        // It derives no `velD`, whichever it equals.
        #expect(climbs([500, 500, 501], [0, 0, 1], isClimb: false) == [0, 0, 1])
    }

    @Test("a speed that gpsd made of positions is no rest, one of the receiver is")
    func restSpeed() {
        // Of the log hemi: epochs each half second.
        let places = [(42.363726915, -71.032397392), (42.363726538, -71.032397030), (42.363726207, -71.032396812)]
        for (speed, east) in [(0.082, nil), (0.03, 0), (0, 0)] as [(Double, Double?)] {
            var assembler = EpochAssembler()
            var finished: [EpochAssembler.Epoch] = []
            for (number, place) in places.enumerated() {
                let arrival = Int64(number + 1) * Self.second / 2
                var fix = fix(arrival)
                fix.position = .init(latitudeDegrees: place.0, longitudeDegrees: place.1)
                if number == 2 { (fix.east, fix.north, fix.restSpeed) = (0, 0, speed) }
                finished += assembler.expire(now: arrival) + assembler.take(fix, arrival: arrival)
            }
            finished += assembler.expire(now: 100 * Self.second)
            #expect(finished.last?.fix.east == east)
        }
    }
}
