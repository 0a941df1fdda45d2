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
        let rest = Mutex(reader)
        let source = PacedSource(name: "recorded", queue: inlet.queues[0]) {
            rest.withLock { nextMeasurement(of: $0) }
        }
        return World(name: "replay", sources: [source], inlet: inlet)
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
