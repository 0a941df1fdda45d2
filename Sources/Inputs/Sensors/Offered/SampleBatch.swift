import Geometry
import Model

/// Samples of several sensors that a program delivers at once.
package struct SampleBatch: Hashable, Sendable {
    package struct Sample: Hashable, Sendable {
        package var kind: SensorKind
        package var time: BootTime
        /// Measured value; a barometer's pressure is the x component. Frame: sensor. Unit: as in the measurement.
        package var value: Vector3

        package init(_ kind: SensorKind, time: BootTime, value: Vector3) {
            self.kind = kind
            self.time = time
            self.value = value
        }
    }

    /// Samples, ordered by time for each sensor.
    package var samples: [Sample]
    /// Temperature of the inertial unit; nil if it is unknown. Unit: degrees Celsius.
    package var temperature: Double?

    package init(_ samples: [Sample], temperature: Double? = nil) {
        self.samples = samples
        self.temperature = temperature
    }
}
