import Glibc
import Model
import Sensors
import WaymarkInterface

/// Camera of a simulation: a source of odometry as that of a client, without one.
struct SimulatedCamera {
    /// Its odometry.
    private let queue: MeasurementQueue

    /// Number of the connection that it would have; those of clients begin at 1.
    private static let client: UInt64 = 0

    init(_ queue: MeasurementQueue) { self.queue = queue }

    /// Opens its source.
    func open(in sources: inout AidSources, at now: BootTime) {
        let request = AidInterface.Open(source: SourceName.camera.text, kinds: [.odometry])
        guard
            let source = try? AidSourceRecord(request, name: .camera, client: Self.client, user: geteuid(), at: now)
        else { return }
        try? sources.open(source)
    }

    /// Offers what waits, as a client would; `accepted` gets what was taken.
    func offer(to sources: inout AidSources, at now: BootTime, _ accepted: (AidMeasurement) -> Void) {
        while let measurement = queue.pop() {
            guard case .aid(let aid) = measurement,
                let taken = try? sources.take(SimulatedPose(aid), client: Self.client, at: now)
            else { continue }
            accepted(taken)
        }
    }
}
