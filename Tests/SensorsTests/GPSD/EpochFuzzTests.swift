import Model
import Sensors
import TestTools
import Testing

/// Reports in any order, with any times and with anything left out, as a broken line or a broken receiver makes them.
@Suite("Assembling epochs of anything")
struct EpochFuzzTests {
    private static let millisecond: Int64 = 1_000_000

    /// A receiver without reason.
    private struct Source {
        var random: SplitMix
        var time: Int64 = 1_700_000_000_000_000_000
        var arrival: Int64 = 1_000_000_000
        var latitude = 48.0
        var number = 0.0
        let interval: Int64

        init(seed: UInt64) {
            random = SplitMix(seed: seed)
            interval = [10, 40, 100, 200, 1000, 2000].randomElement(using: &random)! * millisecond
        }

        mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

        mutating func some(_ value: Double) -> Double? { chance(0.5) ? value : nil }

        mutating func wait() {
            arrival += Int64.random(in: 1...max(2, interval / 2), using: &random)
            guard chance(0.5) else { return }
            time += interval
            if chance(0.8) { latitude += 1e-5 }
            // Gaps, dates that are put right, and clocks that go back a little.
            if chance(0.05) { time += Int64.random(in: -30_000...30_000, using: &random) * millisecond }
        }

        mutating func reportedTime() -> Int64? {
            if chance(0.1) { return nil }
            return time + (chance(0.2) ? Int64.random(in: -10...10, using: &random) * millisecond : 0)
        }

        /// A fix, of which velocity and errors are no other's.
        mutating func fix() -> GPSDReport.FixReport {
            number += 1
            var fix = GPSDReport.FixReport()
            fix.time = reportedTime()
            guard chance(0.95) else { return fix }
            fix.position = .init(latitudeDegrees: latitude + (chance(0.1) ? 1e-6 : 0), longitudeDegrees: 11)
            fix.position?.ellipsoidalHeight = some(500)
            if let east = some(number) { (fix.east, fix.north) = (east, number) }
            fix.up = some(number)
            fix.horizontalError = some(number)
            fix.verticalError = some(number)
            fix.positionError = some(number)
            fix.isHeightHeld = chance(0.2)
            fix.solution = [.plain, .differential, .rtkFloat, .rtkFixed].randomElement(using: &random)!
            return fix
        }

        mutating func sigmas() -> GPSDReport.SigmaReport {
            number += 1
            return .init(time: reportedTime() ?? time, east: number, north: number, up: some(number))
        }
    }

    private func epochs(seed: UInt64) -> [EpochAssembler.Epoch] {
        var source = Source(seed: seed)
        var assembler = EpochAssembler()
        var epochs: [EpochAssembler.Epoch] = []
        for _ in 0..<2000 {
            source.wait()
            epochs += assembler.expire(now: source.arrival)
            #expect(assembler.deadline.map { $0 > source.arrival } ?? true)
            if source.chance(0.25) {
                epochs += assembler.take(source.sigmas(), arrival: source.chance(0.9) ? source.arrival : nil)
            } else {
                let isClockStuck = source.chance(0.05)
                epochs += assembler.take(source.fix(), arrival: source.arrival, isClockStuck: isClockStuck)
            }
        }
        return epochs + assembler.expire(now: .max)
    }

    @Test("no report makes two fixes, and fixes go on by each clock", arguments: 0..<40 as Range<UInt64>)
    func order(seed: UInt64) {
        let epochs = epochs(seed: seed)
        #expect(epochs.count > 100)
        for (before, after) in zip(epochs, epochs.dropFirst()) { #expect(after.arrival > before.arrival) }
        let times = epochs.compactMap(\.time)
        for (before, after) in zip(times, times.dropFirst()) {
            #expect(after > before || after <= before - EpochAssembler.clockStepNanoseconds)
        }
        for values in [
            epochs.compactMap(\.fix.east), epochs.compactMap(\.fix.horizontalError),
            epochs.compactMap(\.fix.positionError),
        ] { #expect(Set(values).count == values.count) }
    }

    @Test("standard deviations are fresh, and of an epoch with a time", arguments: 0..<40 as Range<UInt64>)
    func sigmas(seed: UInt64) {
        for epoch in epochs(seed: seed) {
            guard let sigmas = epoch.sigmas, let time = epoch.time else {
                #expect(epoch.sigmas == nil)
                continue
            }
            #expect(time - sigmas.time <= EpochAssembler.sigmaLifetimeNanoseconds)
            #expect(time - sigmas.time >= -EpochAssembler.roundedEpochNanoseconds)
        }
    }

    @Test("each fix has an accuracy that is a number, or none", arguments: 0..<40 as Range<UInt64>)
    func accuracy(seed: UInt64) {
        let conversion = FixConversion(errorConfidence: 0.95, latencySeconds: 0.2)
        var stamp = ArrivalStamp(latencyNanoseconds: 200_000_000)
        var origin = ErrorOrigin()
        for var epoch in epochs(seed: seed) {
            epoch.isErrorEstimated = origin.isEstimated(epoch.fix)
            let uncertainty = epoch.time == nil ? stamp.uncertainty(epoch, interval: nil) : nil
            let fix = conversion.fix(epoch, realtimeOffset: 0, uncertainty: uncertainty)?.fix
            let sigma = fix?.positionSigma
            for value in [sigma?.east, sigma?.north, sigma?.up, fix?.velocitySigma].compactMap({ $0 }) {
                #expect(value.isFinite && value >= 0)
            }
            #expect(!epoch.fix.isHeightHeld || (sigma?.up ?? 0) >= FixConversion.heldHeightSigma)
        }
    }
}
