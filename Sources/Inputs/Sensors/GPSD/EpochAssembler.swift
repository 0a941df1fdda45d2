/// Combines gpsd's reports about one epoch of a receiver into one fix.
///
/// gpsd may report an epoch several times while it collects sentences, and reports the standard deviations of GST
/// separately, before or after the fix. A fix waits for the additions that its receiver has sent lately, but only for a
/// part of the epoch interval. The filter applies late fixes at their epoch, so waiting costs no accuracy and only
/// delays the correction. Standard deviations that arrive later are used for the next fix.
///
/// A receiver may have a position but no time. Its reports are then grouped by their arrival: see `takeTimeless`.
package struct EpochAssembler {
    /// Longest wait after the first report of an epoch if the receiver sends its sentences in a burst, which gpsd
    /// forwards within a few milliseconds.
    package static let holdNanoseconds: Int64 = 40_000_000
    /// Longest wait until the receiver's behaviour is known. Velocities have been seen 0.36 s after their positions.
    /// Even with the longest plausible latency (`FixConversion`), a fix is then younger than the 2 s that the estimator
    /// accepts.
    package static let maximumHoldNanoseconds: Int64 = 450_000_000
    /// Time for which standard deviations are also used for later epochs that have none, because they change slowly.
    package static let sigmaLifetimeNanoseconds: Int64 = 2_500_000_000
    /// Size of a backward step between epochs that means a step of the receiver's clock; a smaller step is a
    /// repetition.
    package static let clockStepNanoseconds: Int64 = 10_000_000_000
    /// Tolerance for equal epochs: the rounding of the time in the report's text.
    package static let sameEpochNanoseconds: Int64 = 1_000_000
    /// Largest time difference within one epoch if some sentences round or truncate the time to hundredths of a second.
    /// It is less than the epoch interval at 100 Hz.
    package static let roundedEpochNanoseconds: Int64 = 9_500_000
    /// Minimum ratio of the epoch interval to the difference of two times that may belong to one epoch.
    private static let roundedEpochsPerInterval: UInt64 = 4
    /// Time without any dated fix after which undated fixes are used. A starting receiver sends a few positions before
    /// it knows the date, and gpsd interleaves undated reports with dated ones.
    package static let timelessPatienceNanoseconds: Int64 = 2_500_000_000
    /// Time within which an undated fix at the same place counts as a repetition, because the sentences of a receiver
    /// on a slow line fill most of a second. A faster receiver without a clock therefore loses fixes at rest, but no
    /// information.
    package static let repetitionNanoseconds: Int64 = 750_000_000

    package struct Epoch {
        /// Latest report of the fix. Values that it lacks are taken from earlier reports of the same epoch.
        package var fix: GPSDReport.FixReport
        /// Time of the epoch, UTC since 1970; nil if the receiver has no time. Unit: ns.
        package var time: Int64?
        /// Standard deviations of this epoch, or recent ones of an earlier epoch; nil if there are none.
        package var sigmas: GPSDReport.SigmaReport?
        /// Boot time of the arrival of the first report. Unit: ns.
        package var arrival: Int64
        /// Whether gpsd estimated the fix's errors because the receiver reported none: see `ErrorOrigin`.
        package var isErrorEstimated = false

        package init(fix: GPSDReport.FixReport, time: Int64?, sigmas: GPSDReport.SigmaReport?, arrival: Int64) {
            self.fix = fix
            self.time = time
            self.sigmas = sigmas
            self.arrival = arrival
        }

        /// Time on the receiver's clock, otherwise time of arrival. Unit: ns.
        fileprivate var instant: Int64 { time ?? arrival }
    }

    /// Starts without an epoch, and expects all kinds of reports.
    ///
    /// - Parameters:
    ///   - hold: wait after the first report of an epoch, if the reports come in a burst. Unit: ns.
    ///   - maximumHold: wait until the receiver's behaviour is known. Unit: ns.
    package init(
        holdNanoseconds hold: Int64 = Self.holdNanoseconds, maximumHold: Int64 = Self.maximumHoldNanoseconds
    ) {
        expectation = EpochExpectation(minimumNanoseconds: hold, maximumNanoseconds: max(hold, maximumHold))
    }

    private var expectation: EpochExpectation
    private var pending: Epoch?
    /// Time from the first report of the pending epoch to the last report that added something. Unit: ns.
    private var delay: Int64 = 0
    private var sigmas: GPSDReport.SigmaReport?
    /// The last epoch that ended.
    private var last: Epoch?
    private var beforeLast: Epoch?
    private var lastTime: Int64?
    /// Arrival of the last fix with a time, or of the first fix without a time, whichever is later. Unit: ns.
    private var timelessSince: Int64?
    private var interval = EpochInterval()

    /// Boot time (ns) from which `expire` returns an epoch; nil if none is pending.
    package var deadline: Int64? {
        pending.map { $0.arrival + expectation.hold(at: $0.instant, interval: interval.intervalNanoseconds) }
    }

    /// Adds a report of a fix; ignores a report without a position.
    ///
    /// - Parameter isClockStuck: whether the receiver's time does not advance, and so is unusable.
    /// - Returns: epochs that this report completes: the previous one, this one, or both.
    package mutating func take(
        _ fix: GPSDReport.FixReport, arrival: Int64, isClockStuck: Bool = false
    ) -> [Epoch] {
        guard fix.position != nil else { return [] }
        guard let time = fix.time, !isClockStuck else {
            return takeTimeless(fix, arrival: arrival, mustDiffer: isClockStuck)
        }
        timelessSince = nil
        if let pending, isSame(pending, fix, time) {
            add(fix, arrival: arrival)
            return finishIfComplete()
        }
        var finished = finish()
        if let last, isSame(last, fix, time) {
            learnFromLate(fix, arrival: arrival)
            return finished
        }
        if let lastTime {
            let step = time - lastTime
            if step <= Self.sameEpochNanoseconds && step > -Self.clockStepNanoseconds { return finished }
        }
        begin(fix, time: time, arrival: arrival)
        finished += finishIfComplete()
        return finished
    }

    /// Adds a report without a usable time. Reports of one place that arrive within the hold belong to one epoch. An
    /// equal report that follows soon after is a repetition.
    ///
    /// - Parameter mustDiffer: whether an equal fix is always a repetition, however late it arrives. This is so if the
    ///   receiver's clock has stopped, because the receiver may have stopped too.
    private mutating func takeTimeless(
        _ fix: GPSDReport.FixReport, arrival: Int64, mustDiffer: Bool
    ) -> [Epoch] {
        guard let since = timelessSince else {
            timelessSince = arrival
            return []
        }
        guard arrival - since >= Self.timelessPatienceNanoseconds else { return [] }
        if let pending, pending.time == nil, pending.fix.isInSamePlace(as: fix), let deadline, arrival < deadline {
            add(fix, arrival: arrival)
            return finishIfComplete()
        }
        var finished = finish()
        if let last, last.fix.isInSamePlace(as: fix),
            mustDiffer || arrival - last.arrival < Self.repetitionNanoseconds
        {
            if last.time == nil, !mustDiffer { learnFromLate(fix, arrival: arrival) }
            return finished
        }
        begin(fix, time: nil, arrival: arrival)
        finished += finishIfComplete()
        return finished
    }

    /// Adds a report of standard deviations.
    ///
    /// - Parameter arrival: boot time; nil if it is unknown. Unit: ns.
    /// - Returns: the epoch that this report completes.
    package mutating func take(_ report: GPSDReport.SigmaReport, arrival: Int64? = nil) -> [Epoch] {
        let isFirst = !(pending.map(hasOwnSigmas) ?? false)
        sigmas = report
        if let pending, let arrival, isFirst, hasOwnSigmas(pending) { delay = arrival - pending.arrival }
        if pending == nil, let last, hasOwnSigmas(last) {
            takeLate(.sigmas, of: last, delay: arrival.map { $0 - last.arrival } ?? 0)
        }
        return finishIfComplete()
    }

    /// Returns the pending epoch if its deadline has passed.
    ///
    /// - Parameter now: boot time. Unit: ns.
    package mutating func expire(now: Int64) -> [Epoch] {
        guard let deadline, now >= deadline else { return [] }
        return finish()
    }

    private mutating func begin(_ fix: GPSDReport.FixReport, time: Int64?, arrival: Int64) {
        var fix = fix
        DerivedVelocity.remove(from: &fix, since: last)
        pending = Epoch(fix: fix, time: time, sigmas: nil, arrival: arrival)
        delay = 0
    }

    private mutating func add(_ fix: GPSDReport.FixReport, arrival: Int64) {
        guard let before = pending else { return }
        var fix = fix
        DerivedVelocity.remove(from: &fix, since: last)
        if !EpochExpectation.Contents(fix).isSubset(of: .init(before.fix)) { delay = arrival - before.arrival }
        pending?.fix = fix.completed(by: before.fix)
    }

    /// Learns from data that arrived after its epoch had ended: the data is lost, but the next epochs are held for
    /// longer.
    private mutating func learnFromLate(_ fix: GPSDReport.FixReport, arrival: Int64) {
        guard let last else { return }
        var fix = fix
        DerivedVelocity.remove(from: &fix, since: beforeLast)
        let added = EpochExpectation.Contents(fix).subtracting(.init(last.fix))
        if !added.isEmpty { takeLate(added, of: last, delay: arrival - last.arrival) }
    }

    private mutating func takeLate(_ contents: EpochExpectation.Contents, of epoch: Epoch, delay: Int64) {
        expectation.takeLate(contents, delay: delay, at: epoch.instant, interval: interval.intervalNanoseconds)
    }

    private mutating func finishIfComplete() -> [Epoch] {
        guard let pending else { return [] }
        let expected = expectation.expected(at: pending.instant, interval: interval.intervalNanoseconds)
        return expected.isSubset(of: contents(pending)) ? finish() : []
    }

    private mutating func finish() -> [Epoch] {
        guard var epoch = pending else { return [] }
        if let sigmas, let time = epoch.time,
            (0...Self.sigmaLifetimeNanoseconds).contains(time - sigmas.time) || hasOwnSigmas(epoch)
        {
            epoch.sigmas = sigmas
        }
        _ = interval.isGap(before: epoch)
        expectation.take(
            contents(epoch), delay: delay, at: epoch.instant, interval: interval.intervalNanoseconds)
        lastTime = epoch.time ?? lastTime
        (beforeLast, last) = (last, epoch)
        pending = nil
        return [epoch]
    }

    private func contents(_ epoch: Epoch) -> EpochExpectation.Contents {
        EpochExpectation.Contents(epoch.fix).union(hasOwnSigmas(epoch) ? .sigmas : [])
    }

    private func hasOwnSigmas(_ epoch: Epoch) -> Bool {
        guard let sigmas, let time = epoch.time else { return false }
        return isRounded(sigmas.time, time)
    }

    /// Whether a report belongs to an epoch. If their times differ by rounding, their positions must be equal.
    private func isSame(_ epoch: Epoch, _ fix: GPSDReport.FixReport, _ time: Int64) -> Bool {
        guard let other = epoch.time else { return false }
        if (time - other).magnitude <= Self.sameEpochNanoseconds { return true }
        return epoch.fix.isInSamePlace(as: fix) && isRounded(time, other)
    }

    /// Whether two times may belong to one epoch.
    private func isRounded(_ a: Int64, _ b: Int64) -> Bool {
        let difference = (a - b).magnitude
        guard difference > Self.sameEpochNanoseconds else { return true }
        guard difference <= Self.roundedEpochNanoseconds else { return false }
        return interval.intervalNanoseconds.map { difference * Self.roundedEpochsPerInterval <= $0 } ?? true
    }
}

extension GPSDReport.FixReport {
    fileprivate func isInSamePlace(as other: Self) -> Bool {
        position?.latitudeDegrees == other.position?.latitudeDegrees
            && position?.longitudeDegrees == other.position?.longitudeDegrees
    }

    /// Fills in this report's missing values from an earlier report of the same epoch.
    fileprivate func completed(by earlier: Self) -> Self {
        var whole = self
        if east == nil {
            (whole.east, whole.north, whole.restSpeed) = (earlier.east, earlier.north, earlier.restSpeed)
        }
        if up == nil { (whole.up, whole.isClimb) = (earlier.up, earlier.isClimb) }
        whole.velocityError = velocityError ?? earlier.velocityError
        whole.positionError = positionError ?? earlier.positionError
        if horizontalError == nil, eastError == nil {
            whole.horizontalError = earlier.horizontalError
            (whole.eastError, whole.northError) = (earlier.eastError, earlier.northError)
        }
        whole.verticalError = verticalError ?? earlier.verticalError
        if position?.hasHeight != true {
            whole.position?.ellipsoidalHeight = earlier.position?.ellipsoidalHeight
            whole.position?.seaLevelHeight = earlier.position?.seaLevelHeight
            whole.position?.geoidSeparation = earlier.position?.geoidSeparation
            whole.isHeightHeld = isHeightHeld || earlier.isHeightHeld
        }
        return whole
    }
}
