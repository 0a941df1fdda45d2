/// Number of satellites that a receiver uses, which gpsd reports separately from the fix.
///
/// Three satellites give no height, because there are four unknowns, including the receiver's clock. Receivers then
/// repeat an old height. gpsd still reports a three-dimensional fix, because NMEA has a height (`garmin25lp` and
/// `rgm3800` of its logs).
package struct SatelliteCount {
    /// Minimum number of satellites with which position, height and clock can be determined.
    private static let minimumCountForHeight = 4
    /// Time for which a number is valid, because some receivers report their satellites only every few epochs. Unit:
    /// ns.
    private static let lifetime: Int64 = 10_000_000_000
    /// Time for which a sufficient number takes precedence over a lower one. gpsd 3.25 reports once after the sentences
    /// of each constellation, with the satellites that it has received until then. Unit: ns.
    private static let enoughLifetime: Int64 = 5_000_000_000

    private var used: Int?
    private var arrival: Int64 = 0
    /// Arrival of the last report of a sufficient number. Unit: ns.
    private var lastEnough: Int64?

    package init() {}

    /// Adds a report.
    ///
    /// - Parameter arrival: boot time. Unit: ns.
    package mutating func take(_ used: Int, arrival: Int64) {
        (self.used, self.arrival) = (used, arrival)
        if used >= Self.minimumCountForHeight { lastEnough = arrival }
    }

    /// Whether the receiver uses too few satellites for a height; false if their number is unknown.
    ///
    /// - Parameter now: boot time. Unit: ns.
    package func areTooFew(now: Int64) -> Bool {
        guard let used, used < Self.minimumCountForHeight, now - arrival <= Self.lifetime else { return false }
        return lastEnough.map { now - $0 > Self.enoughLifetime } ?? true
    }
}
