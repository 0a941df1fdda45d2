/// Whether the clock of a receiver goes on while its fixes arrive.
///
/// A receiver whose clock stands still, or goes back again and again, sends fixes whose epochs are not new, and which
/// are not used. A clock that is set back once goes on from there.
package struct EpochProgress {
    private var newest: Int64?
    /// Boot times at which the clock has last gone on, and at which the last fix arrived. Unit: ns.
    private var lastStep: Int64 = 0
    private var lastArrival: Int64 = 0

    /// Nothing has arrived.
    package init() {}

    /// Takes the time of each fix.
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

    /// Forgets the receiver, for another one.
    package mutating func restart() { self = EpochProgress() }

    /// Whether fixes have arrived for more than `limit` (ns) since the clock has last gone on.
    package func isStandingStill(limit: Int64) -> Bool { newest != nil && lastArrival - lastStep > limit }
}
