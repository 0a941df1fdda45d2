import Geometry
import Measurements

/// Samples summed up in the ENU frame, in which a still field stays the same however the body turns.
package struct MagneticMean: Sendable {
    private var field = Vector3.zero
    private var rate = Vector3.zero
    private var count = 0.0
    private var last: BootTime?

    package init() {}

    /// Frame: ENU, hard iron removed. Units: that of the magnetometer, rad/s.
    mutating func add(field: Vector3, rate: Vector3, at time: BootTime) {
        // After a break the body may have turned otherwise than was integrated.
        if let last, time.seconds(since: last) > Self.longestBreak { self = MagneticMean() }
        self.field += field
        self.rate += rate
        count += 1
        last = time
    }

    /// The means, and the sums are begun anew.
    mutating func take() -> (field: Vector3, rate: Vector3) {
        let share = 1 / max(1, count)
        let result = (field * share, rate * share)
        self = MagneticMean()
        return result
    }

    /// Unit: seconds.
    private static let longestBreak = 0.2
}
