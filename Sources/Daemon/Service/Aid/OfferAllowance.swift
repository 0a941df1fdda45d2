import Model

/// Number of offers that a source may make now: it grows with time, up to that of one second.
struct OfferAllowance {
    private var left = Double(Self.perSecond)
    private var time: BootTime

    /// Offers per second: those of a fast camera, four times.
    static let perSecond = 250

    init(at time: BootTime) { self.time = time }

    /// Takes some, which need not be whole; returns whether there were as many.
    mutating func take(_ number: Double = 1, at now: BootTime) -> Bool {
        let maximum = Double(Self.perSecond)
        left = min(maximum, left + maximum * max(0, now.seconds(since: time)))
        time = now
        guard left >= number else { return false }
        left -= number
        return true
    }
}
