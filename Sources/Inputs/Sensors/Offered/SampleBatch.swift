import Geometry
import Model

/// Samples of several sensors that a program delivers at once.
public struct SampleBatch: Hashable, Sendable {
    /// Sample of one sensor.
    public struct Sample: Hashable, Sendable {
        /// Sensor of the sample.
        public var kind: SensorKind
        /// Instant of the sample.
        public var time: BootTime
        /// Measured value; a barometer's pressure is the x component. Frame: sensor. Unit: as in the measurement.
        public var value: Vector3

        /// A sample of one sensor.
        public init(_ kind: SensorKind, time: BootTime, value: Vector3) {
            self.kind = kind
            self.time = time
            self.value = value
        }
    }

    /// Samples, ordered by time for each sensor.
    public var samples: [Sample]
    /// Temperature of the inertial unit; nil if it is unknown. Unit: degrees Celsius.
    public var temperature: Double?

    /// Collects the parts.
    public init(_ samples: [Sample], temperature: Double? = nil) {
        self.samples = samples
        self.temperature = temperature
    }
}
