import Glibc
import Model
import Sensors
import WaymarkInterface

/// Camera of a simulation: a source of odometry that behaves like a client's source, but has no client.
struct SimulatedCamera {
    private let queue: MeasurementQueue

    /// Connection number of the simulated client; numbers of real clients begin at 1.
    private static let client: UInt64 = 0

    init(_ queue: MeasurementQueue) { self.queue = queue }

    func open(in sources: inout AidSources, at now: BootTime) {
        let request = AidInterface.Open(source: SourceName.camera.text, kinds: [.odometry])
        guard
            let source = try? AidSourceRecord(request, name: .camera, client: Self.client, user: geteuid(), at: now)
        else { return }
        try? sources.open(source)
    }

    /// Offers the poses that wait in the queue, as a client would; calls `accepted` with each measurement that was
    /// accepted.
    func offer(to sources: inout AidSources, at now: BootTime, _ accepted: (AidMeasurement) -> Void) {
        while let measurement = queue.pop() {
            guard case .aid(let aid) = measurement,
                let taken = try? sources.take(SimulatedPose(measurement: aid), client: Self.client, at: now)
            else { continue }
            accepted(taken)
        }
    }
}

/// Pose of a simulated camera, offered without a client, but checked, counted and listed as the offers of clients are.
private struct SimulatedPose: AidOffer {
    static var kind: AidInterface.AidKind { .odometry }
    static var mainField: String { "position" }

    let measurement: AidMeasurement

    var source: String { measurement.source.text }
    var time: AidInterface.Time { measurement.time.message }

    /// Returns the content unchanged, because the simulation already computes it for the board.
    func content(_ mount: AidSensorMount) -> AidMeasurement.Content { measurement.content }
}
