import Engine
import Linux
import Model
import PlanMatching
import Recording
import Sensors
import Synchronization

extension DaemonEnvironment {
    /// Returns an environment that plays a recording as if it happened now. The daemon ends when the recording does.
    ///
    /// The recording's own clock ticks are left out, because the daemon produces its own.
    public static func replay(_ reader: sending any MeasurementReader) -> DaemonEnvironment {
        let queues = MeasurementQueues(count: 1)
        let plans = PassedPlans()
        let (start, state) = start(of: reader, plans)
        let next = start.first?.time
        let warmStart = reader.warmStart
        let rest = Mutex(Rest(start: start[...], reader: reader))
        let source = PacedSource(name: "recorded", queue: queues.all[0]) {
            rest.withLock { $0.start.popFirst() ?? nextMeasurement(of: $0.reader, plans) }
        }
        var environment = DaemonEnvironment(origin: .replay, sources: [source], queues: queues)
        environment.warmStart = warmStart
        environment.recordedPlans = plans
        environment.beginning = state.flatMap { state in next.map { RecordedBeginning(state: state, next: $0) } }
        return environment
    }

    /// Measurements that have not been delivered.
    private struct Rest {
        var start: ArraySlice<Measurement>
        let reader: any MeasurementReader
    }

    /// Reads the measurements up to the first angular rate, and the state with which the estimator is to begin. In a
    /// recording, this state comes before that rate, but after the active calibrations and any measurements of other
    /// sensors. If the state can be restored, the measurements before it are left out.
    private static func start(
        of reader: any MeasurementReader, _ plans: PassedPlans
    ) -> (measurements: [Measurement], state: EstimatorState?) {
        var start: [Measurement] = []
        var state: EstimatorState?
        while start.count < maximumStartCount, let measurement = nextMeasurement(of: reader, plans) {
            reader.restoreState { found throws(EstimatorStateProblem) in
                // The settings of the estimator have no influence on what can be restored.
                _ = try Odometry().restored(found)
                state = found
                start = []
            }
            start.append(measurement)
            if case .angularRate = measurement { break }
        }
        return (start, state)
    }

    /// Maximum number of measurements at the start. A fast sensor delivers this many in a minute.
    private static let maximumStartCount = 4096

    private static func nextMeasurement(of reader: any MeasurementReader, _ plans: PassedPlans) -> Measurement? {
        do throws(RecordingError) {
            while let measurement = try reader.next() {
                reader.usePlans(plans.put)
                if case .clock = measurement { continue }
                return measurement
            }
        } catch {
            Log.error("the recording ends early: \(error)")
        }
        for warning in reader.warnings { Log.warning(warning) }
        return nil
    }
}

/// Plans on their way from the thread that reads a recording to the reactor; only the newest are kept.
final class PassedPlans: Sendable {
    private let newest = Mutex<PlanLibrary?>(nil)

    func put(_ library: PlanLibrary) { newest.withLock { $0 = library } }

    /// Returns the newest plans if they have not been taken yet.
    func take() -> PlanLibrary? { newest.withLock { $0.take() } }
}
