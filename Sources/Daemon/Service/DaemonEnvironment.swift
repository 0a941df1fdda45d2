import Configuration
import Linux
import Model
import Persistence
import Engine
import Scene
import Sensors

/// Measurement sources and start-up context of the daemon.
public struct DaemonEnvironment {
    /// Origin of the measurements; its raw value is the status field `source`.
    enum Origin: String, Sendable {
        case sensors
        case simulation
        case replay
    }

    var origin: Origin
    var sources: [any MeasurementSource]
    var queues: MeasurementQueues
    /// The source among `sources` whose samples a program offers; nil if samples come from elsewhere.
    var offered: OfferedSource?
    /// Places that a simulation stores from the start.
    var places: [Place] = []
    /// Route that is followed from the start, for example in a simulation; nil for none.
    var route: Route?
    /// Warm start at the beginning of a recording.
    var warmStart: WarmStart?
    /// State of the estimator at the beginning of a recording that began while the daemon was running.
    var beginning: RecordedBeginning?
    /// Plans of a recording, passed on as the recording is read.
    var recordedPlans = PassedPlans()
    /// Board with the sensors; nil in a replay, which stores nothing.
    var board: (any Board)?
    /// Calibrations that come with the sensors, because a simulation's sensors were calibrated before they were worn.
    var calibrations: [SensorCalibration] = []
    /// Odometry of a simulated camera, which is treated like the offers of clients; nil without a camera.
    var camera: MeasurementQueue?
}

/// State of the estimator at the beginning of a recording that began while the daemon was running.
struct RecordedBeginning {
    var state: EstimatorState
    /// Time of the first measurement after that state, on the recording's clock.
    var next: BootTime
}

extension DaemonEnvironment {
    /// Whether the measurements come from a board's own sensors, which cost power.
    var hasSensors: Bool { origin == .sensors }

    /// Prefix of the names of stored files, which keeps a simulated walk's files apart from the wearer's own; nil for a
    /// recording, which stores nothing.
    private var prefix: String? {
        switch origin {
        case .sensors: ""
        case .simulation: "simulated-"
        case .replay: nil
        }
    }

    /// Returns the file of the places; a recording keeps its places in memory.
    func placeFile(_ settings: Configuration.State) -> PlaceFile {
        prefix.map { PlaceFile(directory: settings.directory, name: "\($0)places.sqlite") } ?? PlaceFile()
    }

    func routeFile(directory: String) -> WholeFile? {
        prefix.map { WholeFile(path: "\(directory)/\($0)route.geojson") }
    }

    func terrainFolder(directory: String) -> String? { prefix.map { "\(directory)/\($0)terrain" } }

    func planFolder(directory: String) -> String? { prefix.map { "\(directory)/\($0)plans" } }
}

/// Queues of measurements, one for each source, and the event that wakes the reactor.
struct MeasurementQueues {
    /// Queues of all sources, and the queue of the offers.
    let all: [MeasurementQueue]
    /// Queue of the measurements that clients offer.
    let offers: MeasurementQueue
    /// Signalled by a push into an empty queue.
    let wake: EventDescriptor

    /// Capacity of a queue. It holds the measurements of a fast board for more than ten seconds, in case the reactor is
    /// held up.
    static let capacity = 8192
    /// Capacity of a queue of offers. It holds the offers of four cameras for a second.
    private static let offerCapacity = 256

    /// Makes a queue for a camera. It wakes the reactor, but is not in `all`, because its measurements do not go to the
    /// engine directly.
    func makeCamera() -> MeasurementQueue { MeasurementQueue(capacity: Self.offerCapacity, wake: wake) }

    /// Makes `count` empty queues for sources, which share the wake-up.
    init(count: Int) {
        let wake = EventDescriptor()
        self.wake = wake
        offers = MeasurementQueue(capacity: Self.offerCapacity, wake: wake)
        all = (0..<count).map { _ in MeasurementQueue(capacity: Self.capacity, wake: wake) } + [offers]
    }
}
