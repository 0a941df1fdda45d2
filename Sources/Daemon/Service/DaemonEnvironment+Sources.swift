import Configuration
import Geometry
import Linux
import Model
import Persistence
import Scene
import Sensors
import Simulation
import Synchronization

extension DaemonEnvironment {
    package static func configured(_ configuration: Configuration) -> DaemonEnvironment {
        switch configuration.source.kind {
        case .sensors: sensors(configuration)
        case .simulation: simulation(configuration.simulation)
        }
    }

    private static func sensors(_ configuration: Configuration) -> DaemonEnvironment {
        let queues = MeasurementQueues(count: 2)
        var found: [any MeasurementSource] = []
        let offered = SourceName(configuration.source.samples).map {
            OfferedSource(name: $0, settings: IIOSettings(configuration.iio), queue: queues.all[0])
        }
        if let offered {
            found.append(offered)
        } else if configuration.iio.enabled {
            found.append(IIOSource(settings: IIOSettings(configuration.iio), queue: queues.all[0]))
        }
        if configuration.gnss.enabled {
            found.append(GPSDSource(settings: GPSDSource.Settings(configuration.gnss), queue: queues.all[1]))
        }
        var environment = DaemonEnvironment(origin: .sensors, sources: found, queues: queues)
        environment.offered = offered
        environment.board = SensorBoard(found)
        return environment
    }

    private static func simulation(_ section: Configuration.Simulation) -> DaemonEnvironment {
        let queues = MeasurementQueues(count: 1)
        let now = BootTime(nanoseconds: BootClock.nanoseconds)
        let model = WorldMagneticModel.wmm2025
        guard let walk = CityWalk(settings: CityWalkSettings(section), start: now, magneticModel: model) else {
            preconditionFailure("the built-in walk takes place where and when the magnetic model holds")
        }
        var beginning = walk
        let calibration: SensorCalibration? = if case .calibration(let first) = beginning.next() { first } else { nil }
        let board = SimulatedBoard(section, calibration == nil ? walk : beginning)
        let camera = section.camera ? queues.makeCamera() : nil
        let source = PacedSource(name: "simulated", queue: queues.all[0], aids: camera) {
            board.walk.withLock { $0.next().rounded }
        }
        var environment = DaemonEnvironment(
            origin: .simulation, sources: [source], queues: queues, places: walk.places, route: walk.route)
        environment.camera = camera
        environment.board = board
        environment.calibrations = calibration.map { [$0] } ?? []
        return environment
    }
}

/// Board whose sensors are read by measurement sources.
private final class SensorBoard: Board {
    private let sources: [any MeasurementSource]

    init(_ sources: [any MeasurementSource]) { self.sources = sources }

    private var reports: [DeviceReport] { sources.flatMap(\.reports) }

    var sensors: WarmStart.Sensors { WarmStart.Sensors(reports) }

    var devices: [PresentDevice] { reports.compactMap(PresentDevice.init) }
}

final class SimulatedBoard: Board {
    private let settings: Configuration.Simulation
    fileprivate let walk: Mutex<CityWalk>

    init(_ settings: Configuration.Simulation, _ walk: CityWalk) {
        self.settings = settings
        self.walk = Mutex(walk)
    }

    var sensors: WarmStart.Sensors { WarmStart.Sensors(settings) }

    var devices: [PresentDevice] { [PresentDevice(settings)] }

    /// Moves the simulated board as a calibration asks; nil puts it back on its wearer.
    func handle(_ request: HandlingRequest?) { walk.withLock { $0.handle(request) } }
}

extension IIOSettings {
    package init(_ section: Configuration.IIO) {
        self.init()
        contextURI = section.context
        silenceTimeoutSeconds = section.silenceSeconds
        let sensors: [(SensorKind, Configuration.IIO.Sensor)] = [
            (.accelerometer, section.accelerometer), (.gyroscope, section.gyroscope),
            (.magnetometer, section.magnetometer),
        ]
        for (kind, sensor) in sensors {
            add(kind, device: sensor.device, label: sensor.label, rate: sensor.rateHz)
            let own = sensor.mountMatrix.isEmpty ? section.mountMatrix : sensor.mountMatrix
            mountMatrices[kind] = try? MountMatrix(own)
            signs[kind] = sensor.sign
        }
        let barometer = section.pressure
        add(.barometer, device: barometer.device, label: barometer.label, rate: barometer.rateHz)
    }

    private mutating func add(_ kind: SensorKind, device: String, label: String, rate: Double) {
        if !device.isEmpty { deviceNames[kind] = device }
        if !label.isEmpty { deviceLabels[kind] = label }
        rates[kind] = rate
    }
}

extension GPSDSource.Settings {
    init(_ section: Configuration.GNSS) {
        self.init()
        host = section.host
        port = section.port
        device = section.device
        silenceSeconds = section.silenceSeconds
        errorConfidence = section.errorConfidence
        latencySeconds = section.latencySeconds
        let arm = section.leverArmMetres
        antennaInBody = Vector3(arm[0], arm[1], arm[2])
    }
}

extension CityWalkSettings {
    /// 2026-06-21 10:00 UTC, with the sun 60° above Zurich, so that a demonstration begins by day. Unit: seconds since
    /// 1970.
    package static let midday = 1_782_036_000.0

    init(_ section: Configuration.Simulation) {
        self.init(seed: UInt64(clamping: section.seed))
        startUTCSeconds = Self.midday
        inertialRate = section.inertialRateHz
        magneticRate = section.magnetometerRateHz
        pressureRate = section.barometerRateHz
        fixRate = section.gnssRateHz
        if !section.magneticDisturbances {
            errors.magnetometer.disturbance = 0
            errors.magnetometer.streetIron = 0
        }
        errors.magnetometer.axisTurn = section.compassOffDegrees * .pi / 180
        // With this error, the sensor has no additional random misalignment, which would also rotate the measured
        // field.
        if section.compassOffDegrees != 0 { errors.magnetometer.fieldTurn = .none }
        errors.gyroscope.constantBias = section.gyroOffDegreesPerSecond * .pi / 180
        if section.camera { camera = .typical }
        motion =
            switch section.motion {
            case .walk: .walk
            case .sit: .sit
            case .ride: .ride
            }
    }
}
