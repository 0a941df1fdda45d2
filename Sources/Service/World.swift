import Configuration
import Estimation
import Linux
import Measurements
import Scene
import Sensors

/// What the daemon is set into: the sources of its measurements, and what is known of the surroundings.
public struct World {
    /// `sensors`, `simulation` or `replay`, as the status tells it.
    public var name: String
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
        name: String, sources: [any MeasurementSource], inlet: Inlet, places: [Place] = [], route: Route? = nil
    ) {
        self.name = name
        self.sources = sources
        self.inlet = inlet
        self.places = places
        self.route = route
    }
}

extension World {
    /// Whether what it measures comes from a board's own sensors, which cost power.
    var hasSensors: Bool { name == "sensors" }

    /// Where its places are kept: a simulated walk's apart from the wearer's own, those of a recording in memory.
    func placeFile(_ settings: Configuration.State) -> PlaceFile {
        switch name {
        case "sensors": PlaceFile(directory: settings.directory, name: "places.sqlite")
        case "simulation": PlaceFile(directory: settings.directory, name: "simulated-places.sqlite")
        default: PlaceFile()
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
