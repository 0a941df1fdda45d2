/// Checks whether the clock of a receiver advances while its fixes arrive.
///
/// If the clock stands still or steps back again and again, the fixes have no new epochs and are not used. A clock that
/// is set back only once advances again from its new time.
package struct EpochProgress {
    private var newest: Int64?
    /// Boot times of the clock's last advance and of the last fix's arrival. Unit: ns.
    private var lastStep: Int64 = 0
    private var lastArrival: Int64 = 0

    package init() {}

    /// Adds the time of a fix.
    ///
    /// - Parameters:
    ///   - time: epoch by the receiver's clock, UTC since 1970. Unit: ns.
    ///   - arrival: boot time. Unit: ns.
    package mutating func take(_ time: Int64, arrival: Int64) {
        lastArrival = arrival
        guard let newest else { return (self.newest, lastStep) = (time, arrival) }
        let step = time - newest
        if step > EpochAssembler.sameEpochNanoseconds { lastStep = arrival }
        if step > 0 || step <= -EpochAssembler.clockStepNanoseconds { self.newest = time }
    }

    /// Resets the state for another receiver.
    package mutating func restart() { self = EpochProgress() }

    /// Whether fixes have arrived for more than `limit` (ns) since the clock last advanced.
    package func isStandingStill(limit: Int64) -> Bool { newest != nil && lastArrival - lastStep > limit }
}
