import Linux

/// Part of the daemon that does something at its start or at its end. Its initialiser gets everything that the part
/// needs.
protocol DaemonPart: AnyObject {
    /// Called in the order of the parts, before the first measurement.
    func begin()
    /// Asks the part to end, without waiting for it, so that the parts wait for disks and name lookups at the same
    /// time.
    func requestEnd()
    /// Waits for the end; called in the reverse order of the parts, after all of them have been asked to end.
    func end(_ budget: TimeBudget)
}

extension DaemonPart {
    func begin() {}
    func requestEnd() {}
    func end(_ budget: TimeBudget) {}
}
