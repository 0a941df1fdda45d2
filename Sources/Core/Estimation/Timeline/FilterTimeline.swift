import Geometry
import Model

/// Filter with its recent past. A late measurement is applied at its own time, and the samples after it are integrated
/// again.
///
/// For measurements no older than the oldest snapshot, the result depends only on the time stamps, not on the order of
/// arrival.
package struct FilterTimeline: Codable {
    /// Aiding measurement and the time at which it is applied. The time is stored separately because it is read far
    /// more often than the measurement, and reading the measurement copies it.
    package struct Aid: Sendable, Codable {
        private(set) var time: BootTime
        var kind: Kind
        /// Whether the measurement has been counted in `updates`. It is stored after the kind, in bytes that would
        /// otherwise be padding.
        var isCounted = false
    }

    /// Filter at the newest inertial sample.
    package internal(set) var filter: ErrorStateKalmanFilter
    var steps: Ring<InertialSample>
    var aids: Ring<Aid>
    var snapshots: Ring<ErrorStateKalmanFilter>
    /// Means of the magnetic field that a late measurement can still change.
    var readings: Ring<FieldReading>
    /// Hypotheses of other headings, at the same times as `filter` and `snapshots`.
    package internal(set) var bank: HypothesisBank
    package internal(set) var monitor = HeadingMonitor()
    /// Means of the magnetic field that no late measurement can change, and that have not been taken yet.
    package internal(set) var settledReadings: Ring<FieldReading>
    /// Time of the newest snapshot, cached to avoid copying the filter.
    var snapshotTime: BootTime
    /// Epoch of the newest fix or camera pose.
    var lastEpoch = BootTime(nanoseconds: 0)
    /// Expected epoch of the next fix or camera pose.
    var nextEpoch = BootTime(nanoseconds: 0)
    /// Index of the first measurement that has not been applied.
    var nextAid = 0
    /// The earliest time from which integration must be repeated.
    var repeatFrom: BootTime?
    /// Time until which the integration may wait for more late offers; nil if it must not wait, because another kind of
    /// measurement is late.
    var patience: BootTime?
    /// Time until which the integration waits for the next fix of a fast receiver; nil if it must not wait.
    var sharing: BootTime?
    /// Results of the updates, each counted when first applied.
    package var updates = UpdateStatistics()
    /// Time up to which steps and rest, the updates that inertial samples cause, have been counted.
    var countedUntil: BootTime

    /// Interval after which a snapshot is taken if there was none before a fix. A shorter interval would repeat fewer
    /// samples after a late measurement, but each snapshot copies the filter. Unit: seconds.
    static let snapshotInterval = 0.5
    /// Longest interval between the snapshots before and after one that is dropped. Without dropping, the snapshots
    /// before the fixes of a fast receiver would not reach back beyond `gnss.oldestSeconds`. Unit: seconds.
    static let droppedInterval = 0.7
    /// Number of snapshots that are kept.
    static let snapshotCount = 9
    /// Range of intervals between fixes for which the next epoch is predicted. Unit: seconds.
    static let fixIntervals = 0.04..<10.0
    /// Capacity for the means of the field over the time that the snapshots span.
    static let readingCount = 64
    /// Capacity for inertial samples. At 1 kHz it exceeds `gnss.oldestSeconds` and the interval of the snapshots, whose
    /// time it may limit.
    static let stepCount = 4096
    /// Capacity for aids.
    static let aidCount = 1024

    /// Starts a timeline with a filter at its first inertial sample.
    package init(_ filter: ErrorStateKalmanFilter) {
        self.filter = filter
        steps = Ring(capacity: Self.stepCount)
        aids = Ring(capacity: Self.aidCount)
        snapshots = Ring(capacity: Self.snapshotCount)
        readings = Ring(capacity: Self.readingCount)
        bank = HypothesisBank()
        settledReadings = Ring(capacity: 2 * Self.readingCount)
        snapshotTime = filter.state.time
        countedUntil = filter.state.time
        keepSnapshot()
    }

    /// Restarts with an empty history, but keeps future measurements.
    package mutating func restart(with filter: ErrorStateKalmanFilter) {
        self.filter = filter
        steps.removeAll()
        snapshots.removeAll()
        readings.removeAll()
        bank.restart()
        monitor.restart()
        keepSnapshot()
        while !aids.isEmpty, aids[0].time <= filter.state.time { aids.removeFirst() }
        nextAid = 0
        repeatFrom = nil
        patience = nil
        sharing = nil
    }

    /// Moves the ENU origin of the filter and its history by `-offset`, so that all coordinates grow by `offset`.
    package mutating func shift(by offset: Vector3) {
        filter.shift(by: offset)
        bank.shift(by: offset)
        monitor.shift(by: offset)
        for index in 0..<snapshots.count { snapshots[index].shift(by: offset) }
        for index in 0..<aids.count {
            switch aids[index].kind {
            case .fix(var fix):
                fix.position += offset
                aids[index].kind = .fix(fix)
            case .offer(var offer):
                offer.shift(by: offset)
                aids[index].kind = .offer(offer)
            case .matched(var matched):
                matched.shift(by: offset)
                aids[index].kind = .matched(matched)
            case .magnetic, .pressure, .doubt, .camera: break
            }
        }
    }

    /// Processes the next inertial sample.
    ///
    /// - Returns: the motion since the previous sample, free of corrections; nil if the state is no longer finite and
    ///   plausible, so that the filter must be restarted.
    package mutating func step(_ sample: InertialSample) -> InertialIncrement? {
        if max(patience ?? filter.state.time, sharing ?? filter.state.time) <= filter.state.time { repeatIfNeeded() }
        steps.append(sample)
        let increment = run(to: sample)
        watchHeading()
        return filter.isSound ? increment : nil
    }

    /// Predicts the state at the time of an inertial sample, and applies the measurements up to that time to the filter
    /// and its hypotheses.
    ///
    /// - Returns: the motion over the interval, free of corrections.
    private mutating func run(to sample: InertialSample) -> InertialIncrement {
        var total = InertialIncrement.none
        let firstAid = nextAid
        while nextAid < aids.count, aids[nextAid].time <= sample.time {
            // Only a measurement that contains information about the position is applied at its own time within the
            // interval.
            if aids[nextAid].showsPosition { total.add(propagate(to: aids[nextAid].time, within: sample)) }
            switch aids[nextAid].kind {
            case .fix(let fix): apply(fix, isCounted: aids[nextAid].isCounted)
            case .camera(let pose): apply(pose, isCounted: aids[nextAid].isCounted)
            case .offer(let offer): apply(offer, isCounted: aids[nextAid].isCounted)
            case .matched(let matched): if filter.apply(matched) { bank.close() }
            case .doubt(let reading): if filter.resetYaw(reading) { bank.close() }
            case .magnetic, .pressure: break
            }
            nextAid += 1
        }
        let increment = filter.propagate(to: sample)
        if total.duration > 0 { total.add(increment) } else { total = increment }
        if bank.isOpen { bank.add(sample, increment, filter.state) }
        let isFirst = sample.time > countedUntil
        if isFirst { countedUntil = sample.time }
        let step = filter.detect(sample)
        if isFirst { updates.add(step, of: .steps) }
        if bank.isOpen { bank.noteStep(of: filter) }
        for index in firstAid..<nextAid { applyField(index) }
        let rest = filter.tick()
        if isFirst { updates.add(rest, of: .rest) }
        if bank.isOpen, bank.isDue { bank.follow(&filter) }
        if isSnapshotDue(after: increment.duration) {
            dropNeedlessSnapshot()
            keepSnapshot()
        }
        return total
    }

    /// Predicts the state at the time of a measurement within an inertial interval.
    @inline(__always)
    private mutating func propagate(to time: BootTime, within sample: InertialSample) -> InertialIncrement {
        guard time > filter.state.time else { return .none }
        let part = sample.cut(at: time)
        let increment = filter.propagate(to: part)
        bank.add(part, increment, filter.state)
        return increment
    }

    /// Returns the solution at the newest inertial sample. `mutating` avoids a copy of the filter.
    package mutating func solution() -> FilterSolution { FilterSolution(&filter) }

    /// Returns the newest reading of the yaw monitor. `mutating` avoids a copy of the filter.
    package mutating func headingReading() -> HeadingReading? { monitor.reading }

    /// Runs the yaw monitor on those pairs that no late measurement can change.
    private mutating func watchHeading() {
        let now = filter.state.time
        let final = now.shifted(by: -Int64(filter.settings.gnss.oldestSeconds * 1e9))
        guard let doubt = monitor.watch(at: now, settledBefore: final) else { return }
        guard filter.settings.parts.contains(.headingMonitor) else { return }
        _ = insert(Aid(time: now.shifted(by: 1), kind: .doubt(doubt)))
    }
}

/// Snapshots of the filter, from which the samples after a late measurement are integrated again.
extension FilterTimeline {
    /// Applies late measurements: restores the last snapshot before them, and integrates again.
    mutating func repeatIfNeeded() {
        guard let time = repeatFrom else { return }
        repeatFrom = nil
        patience = nil
        sharing = nil
        while snapshots.count > 1, snapshots[snapshots.count - 1].state.time >= time {
            snapshots.removeLast()
            bank.removeNewestSnapshot()
        }
        snapshots.copyLast(to: &filter)
        let start = filter.state.time
        bank.restore()
        monitor.forget(after: start)
        while let last = readings.last, last.time > start { readings.removeLast() }
        snapshotTime = start
        nextAid = aids.partition { $0.time <= start }
        for index in steps.partition({ $0.time <= start })..<steps.count { _ = run(to: steps[index]) }
    }

    /// Whether a snapshot is due. Snapshots are due at regular intervals, and just before the expected epoch of the
    /// next fix, from which integration will be repeated.
    ///
    /// - Parameter interval: interval between inertial samples. Unit: seconds.
    @inline(__always)
    func isSnapshotDue(after interval: Double) -> Bool {
        let now = filter.state.time
        let age = now.seconds(since: snapshotTime)
        guard age < Self.snapshotInterval else { return true }
        let left = nextEpoch.seconds(since: now)
        // A snapshot at the epoch itself would be too late, because time stamps jitter.
        return left > 0 && left < 1.1 * interval && age > 2 * interval
    }

    /// Drops the newest snapshot if the snapshot before it is recent enough, so that a new snapshot replaces it.
    private mutating func dropNeedlessSnapshot() {
        let count = snapshots.count
        guard count > 1, filter.state.time.seconds(since: snapshots[count - 2].state.time) <= Self.droppedInterval
        else { return }
        snapshots.removeLast()
        bank.removeNewestSnapshot()
    }

    /// Extrapolates the epoch of the next fix or camera pose from the interval between the last two. If measurements
    /// are later than this interval, the epoch is in the past, and the snapshot before it is taken when the integration
    /// is repeated.
    ///
    /// - Returns: the interval; nil if nothing can be expected from it. Unit: seconds.
    @discardableResult
    mutating func expect(after time: BootTime) -> Double? {
        let interval = time.seconds(since: lastEpoch)
        lastEpoch = time
        guard Self.fixIntervals.contains(interval) else { return nil }
        nextEpoch = time.shifted(by: Int64(interval * 1e9))
        return interval
    }

    @inline(__always)
    mutating func keepSnapshot() {
        snapshots.append(copying: &filter)
        bank.keepSnapshot()
        snapshotTime = filter.state.time
        settleReadings()
    }

    /// Drops the snapshots older than the oldest inertial sample, because integration cannot resume from them.
    mutating func forgetUnreachable() {
        guard steps.count == steps.capacity, let oldest = steps.first else { return }
        while snapshots.count > 1, snapshots[0].state.time < oldest.time {
            snapshots.removeFirst()
            bank.removeOldestSnapshot()
            settleReadings()
        }
    }
}

/// Means of the magnetic field, both those that a late measurement can still change and those that are final.
extension FilterTimeline {
    /// Records a mean of the field that the filter has just completed.
    mutating func noteReading() {
        guard filter.settings.parts.contains(.hardIronTracker) else { return }
        guard let reading = filter.fieldReading, reading.time == filter.state.time else { return }
        if readings.count == readings.capacity { settledReadings.append(readings[0]) }
        readings.append(reading)
    }

    /// Moves the readings before the oldest snapshot to the settled readings, because they are final.
    mutating func settleReadings() {
        let oldest = snapshots[0].state.time
        while let first = readings.first, first.time <= oldest {
            settledReadings.append(first)
            readings.removeFirst()
        }
    }

    /// Removes and returns the oldest settled mean of the magnetic field; nil if there is none.
    package mutating func takeSettledReading() -> FieldReading? {
        guard let reading = settledReadings.first else { return nil }
        settledReadings.removeFirst()
        return reading
    }
}

extension FilterTimeline: CheckedState {
    package mutating func settle() -> Bool {
        steps.limit(to: Self.stepCount) && aids.limit(to: Self.aidCount) && snapshots.limit(to: Self.snapshotCount)
            && readings.limit(to: Self.readingCount) && settledReadings.limit(to: 2 * Self.readingCount)
            && isConsistent
    }

    /// Whether the parts of a restored timeline are consistent and in order, because binary searches rely on the order.
    private var isConsistent: Bool {
        guard filter.isSound, !snapshots.isEmpty, bank.pastCount == snapshots.count, nextAid <= aids.count else {
            return false
        }
        for index in 0..<snapshots.count where !snapshots[index].isSound { return false }
        return snapshots.isAscending { $0.state.time } && steps.isAscending(\.time) && aids.isAscending(\.time)
            && readings.isAscending(\.time) && snapshots[snapshots.count - 1].state.time <= filter.state.time
    }

    /// Drops the inertial samples up to the oldest snapshot, because they will never be integrated again.
    package mutating func forgetOldSteps() {
        guard let oldest = snapshots.first?.state.time else { return }
        while let first = steps.first, first.time <= oldest { steps.removeFirst() }
    }
}

extension Ring {
    fileprivate func isAscending(_ time: (Element) -> BootTime) -> Bool {
        for index in stride(from: 1, to: count, by: 1) where time(self[index]) < time(self[index - 1]) { return false }
        return true
    }
}
