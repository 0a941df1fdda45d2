import Geometry
import Model
import State

/// Filter with its recent past: a late measurement is applied at its own time, and the samples after it are integrated
/// again.
///
/// The result depends on the time stamps alone, not on the order of arrival, for measurements not older than the oldest
/// snapshot.
package struct FilterTimeline: Codable {
    /// Filter at the newest inertial sample.
    package private(set) var filter: ErrorStateKalmanFilter
    private var steps: Ring<InertialSample>
    private var aids: Ring<Aid>
    private var snapshots: Ring<ErrorStateKalmanFilter>
    /// Means of the magnetic field that a late measurement can still change.
    private var readings: Ring<FieldReading>
    /// Hypotheses of other headings, in step with `filter` and `snapshots`.
    package private(set) var bank: HypothesisBank
    /// Independent monitor of the yaw.
    package private(set) var monitor = HeadingMonitor()
    /// Means of the magnetic field that no late measurement can change any more, until they are taken.
    package private(set) var settledReadings: Ring<FieldReading>
    /// Time of the newest snapshot, cached to avoid copying the filter.
    private var snapshotTime: BootTime
    /// Epoch of the newest fix.
    private var lastEpoch = BootTime(nanoseconds: 0)
    /// Expected epoch of the next fix.
    private var nextEpoch = BootTime(nanoseconds: 0)
    /// Index of the first measurement that has not been applied.
    private var nextAid = 0
    /// The earliest time from which integration must be repeated.
    private var repeatFrom: BootTime?
    /// Until when that may wait for more, because only offers are to be applied; nil where it may not.
    private var patience: BootTime?
    /// Results of the updates, each counted where it was applied for the first time.
    package var updates = UpdateStatistics()
    /// Time up to which the updates by inertial samples, steps and rest, are counted.
    private var countedUntil: BootTime

    /// Interval between snapshots; even where those before fixes make it shorter, they reach back beyond
    /// `gnss.oldestSeconds`. Each copies the filter: a shorter interval repeats fewer samples after a late measurement.
    /// Unit: seconds.
    private static let snapshotInterval = 0.5
    /// Number of snapshots that are kept.
    static let snapshotCount = 9
    /// Intervals between fixes at which the next epoch is expected. Unit: seconds.
    private static let fixIntervals = 0.2..<10.0
    /// Capacity for the means of the field within that time.
    private static let readingCount = 64
    /// Capacity for inertial samples: at 1 kHz more than the snapshots reach back; at higher rates they reach back
    /// less.
    private static let stepCount = 4096
    /// Capacity for aids.
    private static let aidCount = 1024
    /// Time for which late offers wait for others: 0.2 s. Unit: ns.
    private static let patienceNanoseconds: Int64 = 200_000_000
    /// Lateness up to which a magnetic sample is applied at the next step. Unit: seconds.
    private static let magneticGrace = 0.01

    /// Starts with a filter at its first inertial sample.
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

    /// Drops the past; measurements that lie ahead stay.
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
    }

    /// Changes the filter and every hypothesis after all late measurements are applied, and drops the past;
    /// measurements that lie ahead stay.
    mutating func beginHistory(_ change: (inout ErrorStateKalmanFilter) -> Void) {
        repeatIfNeeded()
        if bank.isOpen { bank.follow(&filter) }
        change(&filter)
        bank.beginHistory(change)
        steps.removeAll()
        snapshots.removeAll()
        readings.removeAll()
        keepSnapshot()
        while nextAid > 0 {
            aids.removeFirst()
            nextAid -= 1
        }
    }

    /// Changes the measurements that lie ahead.
    mutating func changeWaiting(_ change: (inout Aid) -> Void) {
        for index in nextAid..<aids.count { change(&aids[index]) }
    }

    /// Moves everything, also the past, to a new origin of ENU, at `-offset` in the old one.
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
            case .magnetic, .pressure, .doubt, .camera: break
            }
        }
    }

    /// Takes a fix; false for one that is too old.
    package mutating func insert(_ fix: LocalFix) -> Bool {
        expect(after: fix.time)
        return insert(Aid(time: fix.time, kind: .fix(fix)))
    }

    /// Takes a magnetic sample; false for one that is too old.
    package mutating func insert(_ sample: MagneticSample) -> Bool {
        let delay = filter.state.time.seconds(since: sample.time)
        let isHardlyLate = delay >= 0 && delay <= Self.magneticGrace
        let time = isHardlyLate ? filter.state.time.shifted(by: 1) : sample.time
        return insert(Aid(time: time, kind: .magnetic(sample)))
    }

    /// Takes a height by air pressure; false for one that is too old.
    package mutating func insert(_ sample: PressureHeight) -> Bool {
        insert(Aid(time: sample.time, kind: .pressure(sample)))
    }

    /// Takes the pose of a camera; false for one that is too old.
    package mutating func insert(_ pose: CameraPose) -> Bool {
        expect(after: pose.time)
        return insert(Aid(time: pose.time, kind: .camera(pose)))
    }

    /// Takes an offer of another program; false for one that is too old.
    ///
    /// Those of many sources are applied together, five times a second.
    package mutating func insert(_ offer: LocalOffer) -> Bool {
        let (pending, before) = (repeatFrom, patience)
        guard insert(Aid(time: offer.time, kind: .offer(offer))) else { return false }
        guard repeatFrom != nil else { return true }
        patience = pending == nil ? filter.state.time.shifted(by: Self.patienceNanoseconds) : before
        return true
    }

    private mutating func insert(_ aid: Aid) -> Bool {
        patience = nil
        forgetUnreachable()
        let oldest = snapshots[0].state.time
        guard aid.time > oldest else { return false }
        forgetOldAids(before: oldest)
        if aids.append(aid) { nextAid = max(0, nextAid - 1) }
        var index = aids.count - 1
        while index > 0, aids[index - 1].time >= aid.time, aid.isBefore(aids[index - 1]) {
            aids[index] = aids[index - 1]
            index -= 1
        }
        aids[index] = aid
        if aid.time <= filter.state.time {
            repeatFrom = repeatFrom.map { min($0, aid.time) } ?? aid.time
            nextAid += 1
        }
        return true
    }

    /// Drops the snapshots before the oldest inertial sample, from which nothing leads on.
    private mutating func forgetUnreachable() {
        guard steps.count == steps.capacity, let oldest = steps.first else { return }
        while snapshots.count > 1, snapshots[0].state.time < oldest.time {
            snapshots.removeFirst()
            bank.removeOldestSnapshot()
            settleReadings()
        }
    }

    private mutating func forgetOldAids(before time: BootTime) {
        while nextAid > 0, !aids.isEmpty, aids[0].time < time {
            aids.removeFirst()
            nextAid -= 1
        }
    }

    /// Takes the next inertial sample.
    ///
    /// - Returns: the motion since the sample before, and what the scene frame needs to follow it.
    package mutating func step(_ sample: InertialSample) -> FilterStep {
        if patience.map({ filter.state.time >= $0 }) ?? true { repeatIfNeeded() }
        steps.append(sample)
        let increment = run(to: sample)
        watchHeading()
        return FilterStep(
            increment: increment, isSound: filter.isSound, isHeadingKnown: filter.rules.hasYaw,
            hasPosition: filter.gnss.hasPosition)
    }

    /// Solution at the newest inertial sample. `mutating` avoids a copy of the filter.
    package mutating func solution() -> FilterSolution { FilterSolution(filter) }

    /// Applies late measurements.
    private mutating func repeatIfNeeded() {
        guard let time = repeatFrom else { return }
        repeatFrom = nil
        patience = nil
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

    private mutating func run(to sample: InertialSample) -> InertialIncrement {
        var total = InertialIncrement.none
        let firstAid = nextAid
        while nextAid < aids.count, aids[nextAid].time <= sample.time {
            switch aids[nextAid].kind {
            case .fix(let fix): total.add(apply(fix, within: sample, isCounted: aids[nextAid].isCounted))
            case .camera(let pose): total.add(apply(pose, within: sample, isCounted: aids[nextAid].isCounted))
            case .offer(let offer): total.add(apply(offer, within: sample, isCounted: aids[nextAid].isCounted))
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
        let step = filter.finish(sample)
        if isFirst { updates.add(step, of: .steps) }
        if bank.isOpen { bank.noteStep(of: filter) }
        for index in firstAid..<nextAid { applyField(index) }
        let rest = filter.tick()
        if isFirst { updates.add(rest, of: .rest) }
        if bank.isOpen, bank.isDue { bank.follow(&filter) }
        if isSnapshotDue(after: increment.duration) { keepSnapshot() }
        return total
    }

    /// Applies a magnetic sample or a height, after the inertial sample that they belong to.
    @inline(__always)
    private mutating func applyField(_ index: Int) {
        let isFirst = !aids[index].isCounted
        aids[index].isCounted = true
        switch aids[index].kind {
        case .fix, .doubt, .camera, .offer: break
        case .magnetic(let magnetic):
            let outcome = filter.apply(magnetic)
            if isFirst { updates.add(outcome, of: .magnetometer) }
            noteReading()
        case .pressure(let pressure):
            let outcome = filter.apply(pressure)
            if isFirst { updates.add(outcome, of: .barometer) }
            if bank.isOpen { bank.note(pressure) }
        }
    }

    /// Whether a snapshot is due: at regular intervals, and just before the expected epoch of the next fix, from where
    /// everything will be repeated.
    ///
    /// - Parameter interval: interval between inertial samples. Unit: seconds.
    @inline(__always)
    private func isSnapshotDue(after interval: Double) -> Bool {
        let now = filter.state.time
        let age = now.seconds(since: snapshotTime)
        guard age < Self.snapshotInterval else { return true }
        let left = nextEpoch.seconds(since: now)
        // A snapshot at the epoch itself would be too late; time stamps jitter.
        return left > 0 && left < 1.1 * interval && age >= Self.snapshotInterval / 2
    }

    /// Expects the next measurement that comes late after the interval between the last two.
    private mutating func expect(after time: BootTime) {
        let interval = time.seconds(since: lastEpoch)
        lastEpoch = time
        // Not every fix of a faster receiver can have a snapshot of its own.
        guard Self.fixIntervals.contains(interval) else { return }
        nextEpoch = time.shifted(by: Int64(interval * 1e9))
        while nextEpoch <= filter.state.time { nextEpoch = nextEpoch.shifted(by: Int64(interval * 1e9)) }
    }

    /// Predicts to the time of a measurement within an inertial interval.
    @inline(__always)
    private mutating func propagate(to time: BootTime, within sample: InertialSample) -> InertialIncrement {
        guard time > filter.state.time else { return .none }
        let part = sample.cut(at: time)
        let increment = filter.propagate(to: part)
        bank.add(part, increment, filter.state)
        return increment
    }

    private mutating func apply(
        _ pose: CameraPose, within sample: InertialSample, isCounted: Bool
    ) -> InertialIncrement {
        let increment = propagate(to: pose.time, within: sample)
        let outcome = filter.apply(pose)
        if !isCounted { updates.add(outcome, of: .odometry, by: pose.source, at: pose.time) }
        return increment
    }

    private mutating func apply(
        _ offer: LocalOffer, within sample: InertialSample, isCounted: Bool
    ) -> InertialIncrement {
        let increment = propagate(to: offer.time, within: sample)
        if offer.showsMotion, bank.isOpen { bank.follow(&filter) }
        let assessed = filter.assess(offer)
        let taken = filter.heading.offersTaken
        let outcome = filter.apply(offer)
        if !isCounted { updates.add(outcome, of: offer.kind, by: offer.source, at: offer.time) }
        // The hypotheses do not know a yaw or a position that was set.
        if filter.heading.offersTaken != taken || outcome == .applied { bank.close() }
        if offer.showsMotion { weigh(assessed, outcome) }
        return increment
    }

    /// Compares the hypotheses by an offer that the filter has not refused; of ranges each may be too long.
    private mutating func weigh(_ assessed: AssessedOffer, _ outcome: UpdateOutcome?) {
        guard let outcome, outcome.verdict != .refused || assessed.offer.kind == .range,
            filter.settings.parts.contains(.hypothesisBank)
        else { return }
        bank.apply(assessed)
        bank.updateByOffer(&filter)
    }

    private mutating func apply(
        _ measured: LocalFix, within sample: InertialSample, isCounted: Bool
    ) -> InertialIncrement {
        let increment = propagate(to: measured.time, within: sample)
        if bank.isOpen { bank.follow(&filter) }
        let assessed = filter.assess(measured)
        let fix = assessed.fix
        let outcome = filter.apply(assessed)
        if !isCounted { updates.add(outcome) }
        bank.apply(assessed)
        let parts = filter.settings.parts
        if filter.gnss.lastAiding == fix.time, parts.contains(.hypothesisBank) { bank.update(&filter) }
        if let pair = filter.heading.motion.pair, pair.time == fix.time, parts.contains(.velocityComparison) {
            monitor.add(pair)
        }
        if let point = filter.trackPoint(fix), parts.contains(.trackComparison) { monitor.add(point) }
        return increment
    }

    /// Runs the yaw monitor on pairs so old that they are final.
    private mutating func watchHeading() {
        let now = filter.state.time
        let final = now.shifted(by: -Int64(filter.settings.gnss.oldestSeconds * 1e9))
        guard let doubt = monitor.watch(at: now, settledBefore: final) else { return }
        guard filter.settings.parts.contains(.headingMonitor) else { return }
        _ = insert(Aid(time: now.shifted(by: 1), kind: .doubt(doubt)))
    }

    /// Records a mean of the field that the filter has just made.
    private mutating func noteReading() {
        guard filter.settings.parts.contains(.hardIronTracker) else { return }
        guard let reading = filter.fieldReading, reading.time == filter.state.time else { return }
        if readings.count == readings.capacity { settledReadings.append(readings[0]) }
        readings.append(reading)
    }

    /// Settles the readings before the oldest snapshot, which are final.
    private mutating func settleReadings() {
        let oldest = snapshots[0].state.time
        while let first = readings.first, first.time <= oldest {
            settledReadings.append(first)
            readings.removeFirst()
        }
    }

    /// Takes the oldest settled mean of the magnetic field, if there is one.
    package mutating func takeSettledReading() -> FieldReading? {
        guard let reading = settledReadings.first else { return nil }
        settledReadings.removeFirst()
        return reading
    }

    @inline(__always)
    private mutating func keepSnapshot() {
        snapshots.append(copying: &filter)
        bank.keepSnapshot()
        snapshotTime = filter.state.time
        settleReadings()
    }
}

extension FilterTimeline: CheckedState {
    package mutating func settle() -> Bool {
        steps.limit(to: Self.stepCount) && aids.limit(to: Self.aidCount) && snapshots.limit(to: Self.snapshotCount)
            && readings.limit(to: Self.readingCount) && settledReadings.limit(to: 2 * Self.readingCount)
            && isConsistent
    }

    /// Whether the parts fit together as those of a timeline do: the search in them relies on their order.
    private var isConsistent: Bool {
        guard filter.isSound, !snapshots.isEmpty, bank.pastCount == snapshots.count, nextAid <= aids.count else {
            return false
        }
        for index in 0..<snapshots.count where !snapshots[index].isSound { return false }
        return snapshots.isAscending { $0.state.time } && steps.isAscending(\.time) && aids.isAscending(\.time)
            && readings.isAscending(\.time) && snapshots[snapshots.count - 1].state.time <= filter.state.time
    }

    /// Forgets the inertial samples up to the oldest snapshot, which are never integrated again.
    package mutating func forgetOldSteps() {
        guard let oldest = snapshots.first?.state.time else { return }
        while let first = steps.first, first.time <= oldest { steps.removeFirst() }
    }
}

extension Ring {
    /// Whether no element is earlier than the one before.
    fileprivate func isAscending(_ time: (Element) -> BootTime) -> Bool {
        for index in stride(from: 1, to: count, by: 1) where time(self[index]) < time(self[index - 1]) { return false }
        return true
    }
}
