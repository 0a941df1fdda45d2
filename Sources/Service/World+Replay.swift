import Linux
import Measurements
import Recording
import Sensors
import Synchronization

extension World {
    /// A recording as if it happened now; the daemon ends with it.
    ///
    /// Its own ticks of the clock are left out: the daemon's take their place.
    public static func replay(_ reader: sending any MeasurementReader) -> World {
        let inlet = Inlet(count: 1)
        // What the estimator is to begin with stands before the first measurement.
        let first = nextMeasurement(of: reader)
        let warmStart = reader.warmStart
        let rest = Mutex(Rest(first: first, reader: reader))
        let source = PacedSource(name: "recorded", queue: inlet.queues[0]) {
            rest.withLock { $0.first.take() ?? nextMeasurement(of: $0.reader) }
        }
        var world = World(name: "replay", sources: [source], inlet: inlet)
        world.warmStart = warmStart
        return world
    }

    /// What has not been delivered.
    private struct Rest {
        var first: Measurement?
        let reader: any MeasurementReader
    }

    private static func nextMeasurement(of reader: any MeasurementReader) -> Measurement? {
        do throws(RecordingError) {
            while let measurement = try reader.next() {
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
