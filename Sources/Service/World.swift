import Configuration
import Linux
import Model
import Persistence
import PlaceStore
import Scene
import Sensors

/// What the daemon is set into: the sources of its measurements, and what is known of the surroundings.
public struct World {
    /// Where measurements come from; its raw value is the `source` of the status.
    public enum Origin: String, Sendable {
        case sensors
        case simulation
        case replay
    }

    public var origin: Origin
    public var sources: [any MeasurementSource]
    public var inlet: Inlet
    public var places: [Place]
    public var route: Route?
    /// What a recording begins with.
    public var warmStart: WarmStart?
    /// Which sensors there are by now; nil where they are those of a recording, of which nothing is kept.
    var sensors: (() -> WarmStart.Sensors)?
    /// Calibrations that come with the sensors: those of a simulation, which were calibrated before they were worn.
    var calibrations: [SensorCalibration] = []
    /// The devices that can be calibrated, those that are there by now; nil with those of a recording.
    var devices: (() -> [PresentDevice])?

    public init(
        origin: Origin, sources: [any MeasurementSource], inlet: Inlet, places: [Place] = [], route: Route? = nil
    ) {
        self.origin = origin
        self.sources = sources
        self.inlet = inlet
        self.places = places
        self.route = route
    }
}

extension World {
    /// Whether what it measures comes from a board's own sensors, which cost power.
    var hasSensors: Bool { origin == .sensors }

    /// Where its places are kept: a simulated walk's apart from the wearer's own, those of a recording in memory.
    func placeFile(_ settings: Configuration.State) -> PlaceFile {
        switch origin {
        case .sensors: PlaceFile(directory: settings.directory, name: "places.sqlite")
        case .simulation: PlaceFile(directory: settings.directory, name: "simulated-places.sqlite")
        case .replay: PlaceFile()
        }
    }

    /// Where its route is kept: a simulated walk's apart from the wearer's own, that of a recording nowhere.
    func routeFile(directory: String) -> WholeFile? {
        switch origin {
        case .sensors: WholeFile(path: directory + "/route.geojson")
        case .simulation: WholeFile(path: directory + "/simulated-route.geojson")
        case .replay: nil
        }
    }
}

/// Where measurements come in: a queue for each source, and what wakes the reactor.
public struct Inlet {
    public let queues: [MeasurementQueue]
    public let wake: EventDescriptor

    /// Holds more than ten seconds of a fast board, should the reactor be held up.
    static let capacity = 8192

    public init(count: Int) {
        let wake = EventDescriptor()
        self.wake = wake
        queues = (0..<count).map { _ in MeasurementQueue(capacity: Self.capacity, wake: wake) }
    }
}
