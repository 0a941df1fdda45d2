import Configuration
import Linux
import Model
import Persistence
import Engine
import Scene
import Sensors
import Simulation

/// Measurement sources and start-up context of the daemon.
public struct DaemonEnvironment {
    /// Origin of the measurements; its raw value is the `source` of the status.
    public enum Origin: String, Sendable {
        case sensors
        case simulation
        case replay
    }

    /// Origin of the measurements.
    public var origin: Origin
    /// Sources that the daemon starts and stops.
    public var sources: [any MeasurementSource]
    /// Queues that the sources fill.
    public var queues: MeasurementQueues
    /// Source among them whose samples a program offers; nil where they come from elsewhere.
    var offered: OfferedSource?
    /// Places that the store is to have from the start: those of a simulation.
    public var places: [Place]
    /// Route that is followed from the start, such as that of a simulation; nil for none.
    public var route: Route?
    /// Warm start at the beginning of a recording.
    public var warmStart: WarmStart?
    /// State of the estimator at the beginning of a recording that began under way.
    var beginning: RecordedBeginning?
    /// Plans that a recording names.
    var recordedPlans = PassedPlans()
    /// Sensors that are there now; nil where they are those of a recording, of which nothing is kept.
    var sensors: (() -> WarmStart.Sensors)?
    /// Calibrations that come with the sensors: those of a simulation, which were calibrated before they were worn.
    var calibrations: [SensorCalibration] = []
    /// The devices that can be calibrated, those that are there by now; nil with those of a recording.
    var devices: (() -> [PresentDevice])?
    /// Has the board handled as a calibration asks, and worn again for nil; nil where that is up to a person.
    var handle: ((HandlingRequest?) -> Void)?

    /// Odometry of a simulated camera, which goes the way of what clients offer; nil without one.
    var camera: MeasurementQueue?

    /// Makes the context of sources that fill `queues`.
    public init(
        origin: Origin, sources: [any MeasurementSource], queues: MeasurementQueues, places: [Place] = [],
        route: Route? = nil
    ) {
        self.origin = origin
        self.sources = sources
        self.queues = queues
        self.places = places
        self.route = route
    }
}

/// State of the estimator at the beginning of a recording that began under way.
struct RecordedBeginning {
    var state: EstimatorState
    /// Time of the first measurement after it, by the clock of the recording.
    var next: BootTime
}

extension DaemonEnvironment {
    /// Whether what it measures comes from a board's own sensors, which cost power.
    var hasSensors: Bool { origin == .sensors }

    /// File of its places: a simulated walk's apart from the wearer's own, those of a recording in memory.
    func placeFile(_ settings: Configuration.State) -> PlaceFile {
        switch origin {
        case .sensors: PlaceFile(directory: settings.directory, name: "places.sqlite")
        case .simulation: PlaceFile(directory: settings.directory, name: "simulated-places.sqlite")
        case .replay: PlaceFile()
        }
    }

    /// File of its route: a simulated walk's apart from the wearer's own, that of a recording nowhere.
    func routeFile(directory: String) -> WholeFile? {
        switch origin {
        case .sensors: WholeFile(path: directory + "/route.geojson")
        case .simulation: WholeFile(path: directory + "/simulated-route.geojson")
        case .replay: nil
        }
    }

    /// Folder of its terrain, likewise.
    func terrainFolder(directory: String) -> String? {
        switch origin {
        case .sensors: directory + "/terrain"
        case .simulation: directory + "/simulated-terrain"
        case .replay: nil
        }
    }

    /// Folder of its floor plans, likewise.
    func planFolder(directory: String) -> String? {
        switch origin {
        case .sensors: directory + "/plans"
        case .simulation: directory + "/simulated-plans"
        case .replay: nil
        }
    }
}

/// Queues of measurements, one for each source, and what wakes the reactor.
public struct MeasurementQueues {
    /// Queues, one for each source, and that of the offers.
    public let all: [MeasurementQueue]
    /// Queue of the measurements that clients offer.
    let offers: MeasurementQueue
    /// Signalled by a push into an empty queue.
    public let wake: EventDescriptor

    /// Capacity of a queue: more than ten seconds of a fast board, should the reactor be held up.
    static let capacity = 8192
    /// A second of four cameras.
    private static let offerCapacity = 256

    /// Makes a queue for a camera. It wakes the reactor, but is not among those that go to the engine.
    func makeCamera() -> MeasurementQueue { MeasurementQueue(capacity: Self.offerCapacity, wake: wake) }

    /// Makes `count` empty queues for sources, which share the wake-up.
    public init(count: Int) {
        let wake = EventDescriptor()
        self.wake = wake
        offers = MeasurementQueue(capacity: Self.offerCapacity, wake: wake)
        all = (0..<count).map { _ in MeasurementQueue(capacity: Self.capacity, wake: wake) } + [offers]
    }
}
