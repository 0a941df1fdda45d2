import Linux

/// Part of the daemon that does something at its start or at its end. Its initialiser gets everything that the part
/// needs.
protocol DaemonPart: AnyObject {
    /// Called in the order of the parts, before the first measurement.
    func begin()
    /// Asks for the end without waiting for it, so that delays of several parts, by a disk or a name lookup, overlap.
    func requestEnd()
    /// Waits for the end; called in the reverse order of the parts, after all of them have been asked to end.
    func end(_ budget: TimeBudget)
}

extension DaemonPart {
    func begin() {}
    func requestEnd() {}
    func end(_ budget: TimeBudget) {}
}
