import Linux

/// Part of the daemon that does something at its start or at its end. What it needs is in its initialiser.
protocol DaemonPart: AnyObject {
    /// Called in the order of the parts, before the first measurement.
    func begin()
    /// Asks for the end without waiting for it: what a disk or a lookup of a name holds up shares the time that is
    /// left.
    func requestEnd()
    /// Waits for the end; called in the reverse order, when all parts have been asked.
    func end(_ budget: TimeBudget)
}

extension DaemonPart {
    func begin() {}
    func requestEnd() {}
    func end(_ budget: TimeBudget) {}
}
