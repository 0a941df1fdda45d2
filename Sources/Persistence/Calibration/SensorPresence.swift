import Model

/// Presence of the sensors: a device that comes, or comes back, may be another one than before.
package struct SensorPresence {
    /// Silence after which the next sample may be another device's: to come back takes one longer. Unit: ns.
    private static let silence: Int64 = 200_000_000

    private struct Sensor {
        var last = Int64.min
        var count: UInt64 = 0

        mutating func notes(_ time: BootTime) -> Bool {
            count &+= 1
            let (passed, overflow) = time.nanoseconds.subtractingReportingOverflow(last)
            last = time.nanoseconds
            return overflow || passed > SensorPresence.silence || passed < 0
        }
    }

    private var gyroscope = Sensor()
    private var accelerometer = Sensor()
    private var magnetometer = Sensor()

    package init() {}

    /// Takes note of a sample; whether its sensor begins to deliver with it.
    package mutating func notes(_ measurement: Measurement) -> Bool {
        switch measurement {
        case .angularRate(let sample): gyroscope.notes(sample.time)
        case .specificForce(let sample): accelerometer.notes(sample.time)
        case .magneticField(let sample): magnetometer.notes(sample.time)
        default: false
        }
    }

    /// Samples of a sensor since the start; of the board as a whole, those of its accelerometer.
    package func count(of sensor: SensorCalibration.Sensor) -> UInt64 {
        switch sensor {
        case .gyroscope: gyroscope.count
        case .accelerometer, .mount: accelerometer.count
        case .magnetometer: magnetometer.count
        }
    }
}
