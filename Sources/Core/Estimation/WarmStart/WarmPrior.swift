import Geometry
import Glibc
import Model

/// Model of how the standard deviation of an earlier estimate grows with age. Its lower limit allows the filter to
/// converge even if the value belongs to another sensor.
package struct WarmPrior: Hashable, Sendable {
    /// Lower limit of the earlier standard deviation.
    var floor: Double
    /// Random walk. Unit: that of the value over √s.
    var walk: Double
    /// Standard deviation of changes due to temperature and other slow influences.
    var change: Double
    /// Time constant of the slow changes. Unit: seconds.
    var changeSeconds: Double

    /// Returns the standard deviation of an estimate after a given time.
    ///
    /// Equation: docs/filter.md (60).
    func standardDeviation(_ before: Double, age: Double) -> Double {
        let age = max(0, age)
        let changed = change * (1 - exp(-age / changeSeconds))
        return (max(before * before, floor * floor) + walk * walk * age + changed * changed).squareRoot()
    }

    /// Returns the standard deviation after all slow changes, without the random walk.
    package func settledStandardDeviation(_ before: Double) -> Double {
        (max(before * before, floor * floor) + change * change).squareRoot()
    }

    /// Returns the estimate of a vector after a given time. An axis that is hardly better known than at a cold start is
    /// reset to a cold start; nil if all axes are reset.
    func estimate(
        _ before: WarmStart.Estimate<Vector3>, age: Double, cold: Double
    ) -> WarmStart.Estimate<Vector3>? {
        func axis(_ value: Double, _ standardDeviation: Double) -> (Double, Double, Bool) {
            let aged = self.standardDeviation(standardDeviation, age: age)
            return aged < Self.worth * cold ? (value, aged, true) : (0, cold, false)
        }
        let x = axis(before.value.x, before.standardDeviation.x)
        let y = axis(before.value.y, before.standardDeviation.y)
        let z = axis(before.value.z, before.standardDeviation.z)
        guard x.2 || y.2 || z.2 else { return nil }
        return WarmStart.Estimate(value: Vector3(x.0, y.0, z.0), standardDeviation: Vector3(x.1, y.1, z.1))
    }

    /// Returns the estimate of a scalar after a given time; nil if the scalar is hardly better known than at a cold
    /// start.
    func estimate(
        _ before: WarmStart.Estimate<Double>, age: Double, cold: Double
    ) -> WarmStart.Estimate<Double>? {
        let aged = standardDeviation(before.standardDeviation, age: age)
        return aged < Self.worth * cold ? WarmStart.Estimate(value: before.value, standardDeviation: aged) : nil
    }

    /// Share of the standard deviation at a cold start from which an estimate is discarded.
    private static let worth = 0.8
}

extension WarmPrior {
    /// Prior of the gyroscope bias. A device warms up by some 15 K within about ten minutes. Origin of the changes:
    /// temperature coefficients of MEMS sensors, 0.007 °/s/K and 0.1 mg/K (data sheets of the ST LSM6DSO and similar
    /// sensors). The floors are a sixth (gyroscope) and a fifth (accelerometer) of the scatter between sensors.
    package static func gyroBias(_ settings: EstimatorSettings) -> WarmPrior {
        WarmPrior(floor: 8.7e-4, walk: settings.inertial.gyroBiasWalk, change: 1.75e-3, changeSeconds: 600)
    }

    /// Prior of the accelerometer bias. See `gyroBias` for the origin.
    package static func accelerometerBias(_ settings: EstimatorSettings) -> WarmPrior {
        WarmPrior(floor: 0.01, walk: settings.inertial.accelerometerBiasWalk, change: 0.015, changeSeconds: 600)
    }

    /// Prior of the hard iron, as a fraction of the field strength. The objects that the wearer carries, and the
    /// mounting of the board, change within hours.
    package static func hardIron(_ settings: EstimatorSettings, norm: Double) -> WarmPrior {
        WarmPrior(
            floor: 0.006 * norm, walk: settings.magnetic.hardIronWalk * norm, change: 0.012 * norm,
            changeSeconds: 3600)
    }

    /// Prior of the step-length scale, which changes with the day, the shoes and the wearer.
    static let stepScale = WarmPrior(floor: 0.03, walk: 0, change: 0.07, changeSeconds: 3600)

    /// Prior of the latency of the GNSS velocity, which depends on firmware and settings of the receiver.
    static let velocityDelay = WarmPrior(floor: 0.01, walk: 0, change: 0.01, changeSeconds: 3600)
}
