/// Makes one fix of the reports about one epoch of a receiver.
///
/// gpsd may report an epoch several times, while it collects sentences, and gives the standard deviations of GST as a
/// report of their own, before the fix or after it. A fix waits for what its receiver has lately used to send in
/// addition, but never longer than `holdNanoseconds`: the filter takes late fixes at their epoch, so that waiting costs
/// no accuracy, only that much delay of the correction. Standard deviations that come later still serve the next fix.
package struct EpochAssembler {
    /// From the first report of an epoch. gpsd passes on a burst of sentences within a few milliseconds.
    package static let holdNanoseconds: Int64 = 40_000_000
    /// Standard deviations change slowly: those of a recent epoch stand in for missing ones.
    package static let sigmaLifetimeNanoseconds: Int64 = 2_500_000_000
    /// An epoch this much older than the one before it is the step of a receiver's clock; else it is a repetition.
    package static let clockStepNanoseconds: Int64 = 10_000_000_000
    /// Reports of one epoch carry the same time, to the rounding of its text.
    package static let sameEpochNanoseconds: Int64 = 1_000_000
    /// For so many epochs a habit of the receiver is remembered.
    package static let habitEpochs = 5

    /// All that is known about one epoch.
    package struct Epoch {
        package var fix: GPSDReport.FixReport
        /// Nanoseconds UTC since 1970.
        package var time: Int64
        package var sigmas: GPSDReport.SigmaReport?
        /// Of its first report, boot time in nanoseconds.
        package var arrival: Int64

        package init(fix: GPSDReport.FixReport, time: Int64, sigmas: GPSDReport.SigmaReport?, arrival: Int64) {
            self.fix = fix
            self.time = time
            self.sigmas = sigmas
            self.arrival = arrival
        }
    }

    package init() {}

    private var pending: Epoch?
    private var sigmas: GPSDReport.SigmaReport?
    private var lastTime: Int64?
    /// At first both are expected, until the receiver has shown otherwise.
    private var epochsWithSigmasExpected = EpochAssembler.habitEpochs
    private var epochsWithRepetitionExpected = EpochAssembler.habitEpochs
    private var wasRepeated = false

    /// When `expire` has something to do; nil when nothing waits.
    package var deadline: Int64? { pending.map { $0.arrival + Self.holdNanoseconds } }

    /// Takes a report of a fix; one without time or position changes nothing.
    ///
    /// - Returns: what is complete by it: the epoch before, this one, or both.
    package mutating func take(_ fix: GPSDReport.FixReport, arrival: Int64) -> [Epoch] {
        guard let time = fix.time, fix.position != nil else { return [] }
        if let current = pending, Self.isSame(current.time, time) {
            pending?.fix = fix
            wasRepeated = true
            epochsWithRepetitionExpected = Self.habitEpochs
            return finishIfComplete()
        }
        var finished = finish()
        if let lastTime {
            let step = time - lastTime
            if Self.isSame(time, lastTime) { epochsWithRepetitionExpected = Self.habitEpochs }
            if step <= Self.sameEpochNanoseconds && step > -Self.clockStepNanoseconds { return finished }
        }
        pending = Epoch(fix: fix, time: time, sigmas: nil, arrival: arrival)
        finished += finishIfComplete()
        return finished
    }

    /// Takes standard deviations.
    ///
    /// - Returns: the epoch that waited for them.
    package mutating func take(_ report: GPSDReport.SigmaReport) -> [Epoch] {
        sigmas = report
        epochsWithSigmasExpected = Self.habitEpochs
        return finishIfComplete()
    }

    /// Gives out what has waited long enough.
    ///
    /// - Parameter now: boot time in nanoseconds.
    package mutating func expire(now: Int64) -> [Epoch] {
        guard let deadline, now >= deadline else { return [] }
        return finish()
    }

    private mutating func finishIfComplete() -> [Epoch] {
        guard let pending else { return [] }
        let awaitsSigmas = epochsWithSigmasExpected > 0 && !hasOwnSigmas(pending)
        let awaitsRepetition = epochsWithRepetitionExpected > 0
        return awaitsSigmas || awaitsRepetition ? [] : finish()
    }

    private mutating func finish() -> [Epoch] {
        guard var epoch = pending else { return [] }
        if !hasOwnSigmas(epoch) { epochsWithSigmasExpected = max(0, epochsWithSigmasExpected - 1) }
        if !wasRepeated { epochsWithRepetitionExpected = max(0, epochsWithRepetitionExpected - 1) }
        if let sigmas, (0...Self.sigmaLifetimeNanoseconds).contains(epoch.time - sigmas.time) || hasOwnSigmas(epoch) {
            epoch.sigmas = sigmas
        }
        lastTime = epoch.time
        pending = nil
        wasRepeated = false
        return [epoch]
    }

    private func hasOwnSigmas(_ epoch: Epoch) -> Bool { sigmas.map { Self.isSame($0.time, epoch.time) } ?? false }

    private static func isSame(_ a: Int64, _ b: Int64) -> Bool { (a - b).magnitude <= sameEpochNanoseconds.magnitude }
}
