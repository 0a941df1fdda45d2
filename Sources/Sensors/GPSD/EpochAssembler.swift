/// Assembly of gpsd's reports about one epoch of a receiver into one fix.
///
/// gpsd may report an epoch several times while it collects sentences, and reports the standard deviations of GST
/// separately, before the fix or after it. A fix waits for the reports that its receiver has lately sent in addition,
/// but never longer than `holdNanoseconds`: the filter applies late fixes at their epoch, so that waiting costs no
/// accuracy and only delays the correction. Standard deviations that arrive later are used for the next fix.
package struct EpochAssembler {
    /// Longest wait after the first report of an epoch; gpsd forwards a burst of sentences within a few milliseconds.
    package static let holdNanoseconds: Int64 = 40_000_000
    /// Time for which standard deviations substitute for missing ones of later epochs; they change slowly.
    package static let sigmaLifetimeNanoseconds: Int64 = 2_500_000_000
    /// Backward step of epochs that is a step of the receiver's clock; a smaller one is a repetition.
    package static let clockStepNanoseconds: Int64 = 10_000_000_000
    /// Tolerance for equal epochs: the rounding of the time in the report's text.
    package static let sameEpochNanoseconds: Int64 = 1_000_000
    /// Number of epochs after which an additional report that stayed away is no longer expected.
    package static let expectationEpochs = 5

    /// Reports of one epoch combined.
    package struct Epoch {
        /// The latest report of the fix.
        package var fix: GPSDReport.FixReport
        /// Time of the epoch, UTC since 1970. Unit: ns.
        package var time: Int64
        /// Standard deviations of this epoch, or recent ones; nil if there are none.
        package var sigmas: GPSDReport.SigmaReport?
        /// Boot time of the arrival of the first report. Unit: ns.
        package var arrival: Int64

        /// Combines reports.
        package init(fix: GPSDReport.FixReport, time: Int64, sigmas: GPSDReport.SigmaReport?, arrival: Int64) {
            self.fix = fix
            self.time = time
            self.sigmas = sigmas
            self.arrival = arrival
        }
    }

    /// Starts without an epoch, expecting all kinds of reports.
    ///
    /// - Parameter hold: longest wait after the first report of an epoch. Unit: ns.
    package init(holdNanoseconds hold: Int64 = Self.holdNanoseconds) { self.hold = hold }

    private let hold: Int64
    private var pending: Epoch?
    private var sigmas: GPSDReport.SigmaReport?
    private var lastTime: Int64?
    /// Number of epochs for which each kind of additional report is still expected; both are until the receiver has
    /// shown otherwise.
    private var epochsWithSigmasExpected = EpochAssembler.expectationEpochs
    private var epochsWithRepetitionExpected = EpochAssembler.expectationEpochs
    private var wasRepeated = false

    /// Boot time (ns) from which `expire` returns an epoch; nil if none is pending.
    package var deadline: Int64? { pending.map { $0.arrival + hold } }

    /// Adds a report of a fix; ignores one without time or position.
    ///
    /// - Returns: epochs that are complete thereby: the previous one, this one, or both.
    package mutating func take(_ fix: GPSDReport.FixReport, arrival: Int64) -> [Epoch] {
        guard let time = fix.time, fix.position != nil else { return [] }
        if let current = pending, Self.isSame(current.time, time) {
            pending?.fix = fix
            wasRepeated = true
            epochsWithRepetitionExpected = Self.expectationEpochs
            return finishIfComplete()
        }
        var finished = finish()
        if let lastTime {
            let step = time - lastTime
            if Self.isSame(time, lastTime) { epochsWithRepetitionExpected = Self.expectationEpochs }
            if step <= Self.sameEpochNanoseconds && step > -Self.clockStepNanoseconds { return finished }
        }
        pending = Epoch(fix: fix, time: time, sigmas: nil, arrival: arrival)
        finished += finishIfComplete()
        return finished
    }

    /// Adds a report of standard deviations.
    ///
    /// - Returns: the epoch that is complete thereby.
    package mutating func take(_ report: GPSDReport.SigmaReport) -> [Epoch] {
        sigmas = report
        epochsWithSigmasExpected = Self.expectationEpochs
        return finishIfComplete()
    }

    /// Returns the pending epoch if its deadline has passed.
    ///
    /// - Parameter now: boot time. Unit: ns.
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

/// Measured interval of a receiver's epochs, and detection of missing ones.
package struct EpochInterval {
    private static let remembered = 8
    /// Tolerance for the rounding of times.
    private static let toleranceNanoseconds: Int64 = 50_000_000

    private var last: Int64?
    private var recent: [Int64] = []

    /// Starts without an interval.
    package init() { recent.reserveCapacity(Self.remembered) }

    /// Shortest of the latest intervals: gaps only lengthen intervals. Unit: ns.
    package var intervalNanoseconds: Int64? { recent.min() }

    /// Rate of epochs; nil before the second one. Unit: Hz.
    package var rate: Double? { intervalNanoseconds.map { 1e9 / Double($0) } }

    /// Adds the next epoch, UTC since 1970 in ns.
    ///
    /// - Returns: whether more than twice the usual interval has passed since the previous one.
    package mutating func isGap(before time: Int64) -> Bool {
        defer { last = time }
        guard let last, time > last else { return false }
        let interval = time - last
        let isGap = intervalNanoseconds.map { interval - $0 > $0 + Self.toleranceNanoseconds } ?? false
        if recent.count == Self.remembered { recent.removeFirst() }
        recent.append(interval)
        return isGap
    }
}
