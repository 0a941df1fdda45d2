/// Number of satellites that a receiver uses, which gpsd reports apart from the fix.
///
/// Three satellites give no height: four unknowns, with the receiver's clock. Receivers then repeat an old height, and
/// gpsd takes the fix for one of three dimensions, as NMEA has a height (`garmin25lp` and `rgm3800` of its logs).
package struct SatelliteCount {
    /// Least number that determines position, height and clock.
    private static let leastForHeight = 4
    /// Time for which a number holds: some receivers report their satellites every few epochs. Unit: ns.
    private static let lifetime: Int64 = 10_000_000_000
    /// Time for which enough satellites count before fewer: gpsd 3.25 reports after the sentences of each
    /// constellation, with those that it has until then. Unit: ns.
    private static let enoughLifetime: Int64 = 5_000_000_000

    private var used: Int?
    private var arrival: Int64 = 0
    /// Arrival of the last report of enough satellites. Unit: ns.
    private var lastEnough: Int64?

    /// Nothing has arrived.
    package init() {}

    /// Takes a report.
    ///
    /// - Parameter arrival: boot time. Unit: ns.
    package mutating func take(_ used: Int, arrival: Int64) {
        (self.used, self.arrival) = (used, arrival)
        if used >= Self.leastForHeight { lastEnough = arrival }
    }

    /// Whether the receiver uses too few satellites for a height; false if their number is not known.
    ///
    /// - Parameter now: boot time. Unit: ns.
    package func areTooFew(now: Int64) -> Bool {
        guard let used, used < Self.leastForHeight, now - arrival <= Self.lifetime else { return false }
        return lastEnough.map { now - $0 > Self.enoughLifetime } ?? true
    }
}
