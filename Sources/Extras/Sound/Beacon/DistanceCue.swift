import Glibc

/// Expresses the distance of the target by the repetition rate and the level of pulses. All sources are placed at the
/// same distance, so that far targets are audible.
enum DistanceCue {
    /// Smallest and largest distance that can be distinguished. Unit: metres.
    static let near = 5.0
    static let far = 500.0
    /// Interval between pulses at `near` and at `far`. Unit: seconds.
    static let nearInterval = 0.3
    static let farInterval = 1.5
    /// Amplitude factor at `far`: -9 dB.
    static let farLevel = 0.355

    /// Returns the position of a distance on a logarithmic scale: 0 at `near`, 1 at `far`.
    private static func share(_ distance: Double) -> Double {
        min(max(log(max(distance, near) / near) / log(far / near), 0), 1)
    }

    /// Returns the interval between the beginnings of two pulses. Unit: seconds.
    static func interval(at distance: Double) -> Double {
        nearInterval * pow(farInterval / nearInterval, share(distance))
    }

    static func level(at distance: Double) -> Double { pow(farLevel, share(distance)) }
}
