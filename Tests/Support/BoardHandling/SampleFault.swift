import Geometry
import Model

/// Fault of a sensor or its data path, to be injected into the samples of a handled board.
public enum SampleFault: Hashable, Sendable {
    /// Sensor with the fault.
    public enum Sensor: Hashable, Sendable, CaseIterable {
        case gyroscope
        case accelerometer
        case magnetometer
    }

    /// No samples from a time on. Unit: seconds after the first sample.
    case silent(Sensor, from: Double)
    /// No samples of any sensor for some time. Unit: seconds.
    case gap(from: Double, seconds: Double)
    /// One axis (0, 1, 2) is not a number for a tenth of a second.
    case notFinite(Sensor, axis: Int, at: Double)
    /// One axis repeats the same value from a time on.
    case stuck(Sensor, axis: Int, from: Double)
    /// All axes are clipped at ±range, in the unit of the samples.
    case clipped(Sensor, range: Double)
    /// All axes are scaled by a factor, as in another unit.
    case scaled(Sensor, factor: Double)
}

extension Array where Element == Measurement {
    /// These samples with a fault injected.
    ///
    /// - Parameter start: instant of the first sample.
    public func with(_ fault: SampleFault, start: BootTime) -> [Measurement] {
        var held: Double?
        return compactMap { measurement in
            let seconds = measurement.time.seconds(since: start)
            switch fault {
            case .silent(let sensor, let from):
                return measurement.sensor == sensor && seconds >= from ? nil : measurement
            case .gap(let from, let length):
                return seconds >= from && seconds < from + length ? nil : measurement
            case .notFinite(let sensor, let axis, let at):
                guard seconds >= at, seconds < at + 0.1 else { return measurement }
                return measurement.changed(of: sensor) { $0.setting(axis, to: .nan) }
            case .stuck(let sensor, let axis, let from):
                guard seconds >= from else { return measurement }
                return measurement.changed(of: sensor) { value in
                    held = held ?? [value.x, value.y, value.z][axis]
                    return value.setting(axis, to: held ?? 0)
                }
            case .clipped(let sensor, let range):
                func clip(_ value: Double) -> Double { Swift.min(range, Swift.max(-range, value)) }
                return measurement.changed(of: sensor) { Vector3(clip($0.x), clip($0.y), clip($0.z)) }
            case .scaled(let sensor, let factor):
                return measurement.changed(of: sensor) { $0 * factor }
            }
        }
    }
}

extension Measurement {
    fileprivate var sensor: SampleFault.Sensor? {
        switch self {
        case .angularRate: .gyroscope
        case .specificForce: .accelerometer
        case .magneticField: .magnetometer
        default: nil
        }
    }

    fileprivate func changed(of sensor: SampleFault.Sensor, by change: (Vector3) -> Vector3) -> Measurement {
        guard self.sensor == sensor else { return self }
        switch self {
        case .angularRate(var sample):
            sample.rate = change(sample.rate)
            return .angularRate(sample)
        case .specificForce(var sample):
            sample.force = change(sample.force)
            return .specificForce(sample)
        case .magneticField(var sample):
            sample.field = change(sample.field)
            return .magneticField(sample)
        default: return self
        }
    }
}

extension Vector3 {
    fileprivate func setting(_ axis: Int, to value: Double) -> Vector3 {
        Vector3(axis == 0 ? value : x, axis == 1 ? value : y, axis == 2 ? value : z)
    }
}
