import Simulation

/// Something that happens to a wearer: a simulated walk, and what is changed of its measurements.
package struct ScoreCondition: Sendable {
    /// Name, by parts of which conditions are chosen.
    package let name: String
    /// Length of the walk. Unit: seconds.
    package let seconds: Double
    /// Intervals whose fixes are withheld. Unit: seconds since the beginning.
    package let outages: [ClosedRange<Double>]
    /// Changes of the measurements, in this order.
    package let changes: [MeasurementChange]
    /// Settings of the simulated walk, by its seed.
    package let settings: @Sendable (inout CityWalkSettings) -> Void

    /// A condition; the walk is the typical one unless changed.
    package init(
        _ name: String, seconds: Double, outages: [ClosedRange<Double>] = [], changes: [MeasurementChange] = [],
        settings: @escaping @Sendable (inout CityWalkSettings) -> Void = { _ in }
    ) {
        self.name = name
        self.seconds = seconds
        self.outages = outages
        self.changes = changes
        self.settings = settings
    }

    /// Seed of the simulated walk: conditions with the same seed have other random numbers, by their name alone.
    ///
    /// Source: the FNV-1a hash of 64 bits.
    func walkSeed(_ seed: UInt64) -> UInt64 {
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } ^ seed
    }
}
