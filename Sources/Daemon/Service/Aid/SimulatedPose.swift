import Model
import WaymarkInterface

/// Pose of a simulated camera, offered without a client: it is checked, counted and listed as those of others.
struct SimulatedPose: AidOffer {
    static var kind: AidInterface.AidKind { .odometry }
    static var mainField: String { "position" }

    private let measurement: AidMeasurement

    init(_ measurement: AidMeasurement) { self.measurement = measurement }

    var source: String { measurement.source.text }
    var time: AidInterface.Time { measurement.time.message }

    /// What was measured; the simulation has it of the board already.
    func content(_ mount: AidSensorMount) -> AidMeasurement.Content { measurement.content }
}
