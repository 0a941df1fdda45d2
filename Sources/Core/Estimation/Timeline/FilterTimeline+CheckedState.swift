import Model

extension FilterTimeline: CheckedState {
    package mutating func settle() -> Bool {
        steps.limit(to: Self.stepCount) && aids.limit(to: Self.aidCount) && snapshots.limit(to: Self.snapshotCount)
            && readings.limit(to: Self.readingCount) && settledReadings.limit(to: 2 * Self.readingCount)
            && isConsistent
    }

    /// Whether the parts of a restored timeline are consistent: binary searches rely on their order.
    private var isConsistent: Bool {
        guard filter.isSound, !snapshots.isEmpty, bank.pastCount == snapshots.count, nextAid <= aids.count else {
            return false
        }
        for index in 0..<snapshots.count where !snapshots[index].isSound { return false }
        return snapshots.isAscending { $0.state.time } && steps.isAscending(\.time) && aids.isAscending(\.time)
            && readings.isAscending(\.time) && snapshots[snapshots.count - 1].state.time <= filter.state.time
    }

    /// Drops the inertial samples up to the oldest snapshot, which are never integrated again.
    package mutating func forgetOldSteps() {
        guard let oldest = snapshots.first?.state.time else { return }
        while let first = steps.first, first.time <= oldest { steps.removeFirst() }
    }
}

extension Ring {
    /// Whether the elements are in ascending order.
    fileprivate func isAscending(_ time: (Element) -> BootTime) -> Bool {
        for index in stride(from: 1, to: count, by: 1) where time(self[index]) < time(self[index - 1]) { return false }
        return true
    }
}
