import Model

/// Age of a stored warm start.
package enum WarmStartAge {
    /// Least age after another boot: where the clock has no battery the time that the device was off is unknown, and
    /// the clock goes on from its last value. Unit: seconds.
    package static let leastOfAnotherBoot = 6 * 3600.0

    /// Age; negative for a warm start from the future.
    ///
    /// - Parameters:
    ///   - bootTime: now.
    ///   - boot: the present one; empty where it is not known.
    ///   - utcSeconds: now, as the system's clock has it.
    package static func seconds(
        since moment: WarmStart.Moment, bootTime: BootTime, boot: String, utcSeconds: Double
    ) -> Double {
        if !boot.isEmpty, moment.boot == boot { return bootTime.seconds(since: moment.bootTime) }
        let passed = utcSeconds - moment.utcSeconds
        return passed < 0 ? passed : max(passed, leastOfAnotherBoot)
    }
}
