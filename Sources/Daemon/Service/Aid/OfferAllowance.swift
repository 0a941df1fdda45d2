import Model

/// Number of offers that a source may make now. It grows with time, up to the allowance of one second.
struct OfferAllowance {
    private var left = Double(Self.perSecond)
    private var time: BootTime

    /// Offers per second: four times the rate of a fast camera.
    static let perSecond = 250

    init(at time: BootTime) { self.time = time }

    /// Takes a number of offers, which need not be whole, from the allowance; returns false if fewer are left.
    mutating func take(_ number: Double = 1, at now: BootTime) -> Bool {
        let maximum = Double(Self.perSecond)
        left = min(maximum, left + maximum * max(0, now.seconds(since: time)))
        time = now
        guard left >= number else { return false }
        left -= number
        return true
    }
}
