import Model

/// Snapshots of the filter, from which the samples after a late measurement are integrated again.
extension FilterTimeline {
    /// Applies late measurements: restores the last snapshot before them and integrates again.
    mutating func repeatIfNeeded() {
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

    /// Whether a snapshot is due: at regular intervals, and just before the expected epoch of the next fix, from which
    /// integration will be repeated.
    ///
    /// - Parameter interval: interval between inertial samples. Unit: seconds.
    @inline(__always)
    func isSnapshotDue(after interval: Double) -> Bool {
        let now = filter.state.time
        let age = now.seconds(since: snapshotTime)
        guard age < Self.snapshotInterval else { return true }
        let left = nextEpoch.seconds(since: now)
        // A snapshot at the epoch itself would be too late, because time stamps jitter.
        return left > 0 && left < 1.1 * interval && age >= Self.snapshotInterval / 2
    }

    /// Extrapolates the epoch of the next late measurement from the interval between the last two.
    mutating func expect(after time: BootTime) {
        let interval = time.seconds(since: lastEpoch)
        lastEpoch = time
        // A faster receiver does not get a snapshot for every fix.
        guard Self.fixIntervals.contains(interval) else { return }
        nextEpoch = time.shifted(by: Int64(interval * 1e9))
        while nextEpoch <= filter.state.time { nextEpoch = nextEpoch.shifted(by: Int64(interval * 1e9)) }
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
