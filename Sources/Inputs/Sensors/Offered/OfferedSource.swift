import Linux
import Model
import Synchronization

/// Measurement source whose samples another program provides, in place of IIO devices.
///
/// It has no thread. Batches enter the queue on the thread that received them.
package final class OfferedSource: MeasurementSource {
    /// Name of the source whose samples are accepted.
    package let name: SourceName
    private let queue: MeasurementQueue
    private let state: Mutex<State>
    /// Time without samples after which a sensor is reported silent. Unit: nanoseconds.
    private let silence: Int64

    private struct State {
        /// Sensors in the order of the kinds.
        var sensors: [OfferedSensor]
        var isOpen = false
    }

    /// Reason why a batch is refused as a whole.
    package enum Refusal: Error, Hashable {
        /// A sample is not later than the newest sample of its sensor, which has this time.
        case outOfOrder(newest: BootTime)
        /// The value is beyond the range of any sensor of this kind.
        case outOfRange(SensorKind)
    }

    /// Prepares the source.
    ///
    /// - Parameters:
    ///   - settings: mount matrices, signs, and silence timeout, as for IIO devices.
    ///   - queue: receives the measurements in the order of their times, specific force before angular rate.
    package init(name: SourceName, settings: IIOSettings, queue: MeasurementQueue) {
        self.name = name
        self.queue = queue
        silence = Int64(settings.silenceMilliseconds) * 1_000_000
        let program = name.text
        state = Mutex(
            State(sensors: SensorKind.allCases.map { OfferedSensor($0, program: program, settings: settings) }))
    }

    /// Starts waiting for the program.
    package func start() { state.withLock { Self.follow(&$0) } }

    package func requestStop() {}

    package func stop(timeoutSeconds: Double) {}

    /// One report for each sensor, in the order of the kinds.
    package var reports: [DeviceReport] { state.withLock { $0.sensors.compactMap(\.report) } }

    /// Sets whether a program has opened the source for samples.
    package func setOpen(_ isOpen: Bool) {
        state.withLock { state in
            guard state.isOpen != isOpen else { return }
            state.isOpen = isOpen
            Self.follow(&state)
        }
    }

    private static func follow(_ state: inout State) {
        for index in state.sensors.indices { state.sensors[index].follow(isOpen: state.isOpen) }
    }

    /// Passes a batch to the queue, as a whole or not at all.
    ///
    /// - Parameter now: boot time at which the batch arrived.
    package func take(_ batch: SampleBatch, at now: BootTime) throws(Refusal) {
        try state.withLock { state throws(Refusal) in
            let measurements = try Self.checked(batch, state.sensors)
            for (kind, measurement) in measurements {
                state.sensors[kind.order].count(measurement.time, isTaken: queue.append(measurement))
            }
            for kind in SensorKind.allCases where measurements.contains(where: { $0.kind == kind }) {
                let isInertial = kind == .accelerometer || kind == .gyroscope
                state.sensors[kind.order].flush(
                    temperature: isInertial ? batch.temperature : nil, at: now.nanoseconds)
            }
        }
        queue.announce()
    }

    /// Measurements of a batch in the order of their times; measurements of one instant in the order of their kinds.
    private static func checked(
        _ batch: SampleBatch, _ sensors: [OfferedSensor]
    ) throws(Refusal) -> [(kind: SensorKind, measurement: Measurement)] {
        var newest = sensors.map(\.newest)
        var checked: [(kind: SensorKind, measurement: Measurement)] = []
        checked.reserveCapacity(batch.samples.count)
        for sample in batch.samples {
            let index = sample.kind.order
            if let newest = newest[index], sample.time <= newest { throw .outOfOrder(newest: newest) }
            guard let measurement = sensors[index].measurement(sample) else { throw .outOfRange(sample.kind) }
            newest[index] = sample.time
            checked.append((sample.kind, measurement))
        }
        return checked.sorted { ($0.measurement.time, $0.kind) < ($1.measurement.time, $1.kind) }
    }

    /// Detects sensors that have fallen silent; to be called a few times a second.
    package func observe(at now: BootTime) {
        state.withLock { state in
            for index in state.sensors.indices {
                state.sensors[index].observe(at: now.nanoseconds, silence: silence)
            }
        }
    }
}
