import Model

/// How old what was kept is.
package enum WarmStartAge {
    /// After another boot nobody knows for how long the device was off where its clock has no battery: it then goes on from
    /// the last it knew. So long at least. Unit: seconds.
    package static let leastOfAnotherBoot = 6 * 3600.0

    /// Negative for what was kept in the future.
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
