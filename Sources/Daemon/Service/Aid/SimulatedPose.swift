import Model
import WaymarkInterface

/// Pose of a simulated camera, offered without a client, but checked, counted and listed as the offers of clients are.
struct SimulatedPose: AidOffer {
    static var kind: AidInterface.AidKind { .odometry }
    static var mainField: String { "position" }

    private let measurement: AidMeasurement

    init(_ measurement: AidMeasurement) { self.measurement = measurement }

    var source: String { measurement.source.text }
    var time: AidInterface.Time { measurement.time.message }

    /// Content of the measurement, which the simulation computes for the board already.
    func content(_ mount: AidSensorMount) -> AidMeasurement.Content { measurement.content }
}
