import Calibration
import Configuration
import Documents
import Geometry
import Linux
import Messages
import Model
import Persistence
import Simulation
import WaymarkInterface

/// Manages the stored calibrations, the active ones, and the one under way.
final class CalibrationService: DaemonPart {
    let repository: CalibrationRepository
    let application: CalibrationApplication
    private let reactor: Reactor
    private let driver: EngineDriver
    private let environment: DaemonEnvironment
    /// Simulated board, which moves as a calibration requests; nil if a person moves the board.
    private let simulatedBoard: SimulatedBoard?
    private let fitter: SerialWorker
    private(set) var live: LiveCalibration? { didSet { if live == nil { simulatedBoard?.handle(nil) } } }
    private var nextOnline: Int64 = 0
    private var settings: Configuration.Calibration

    /// Interval at which the online hard-iron estimate is checked for being proven. Unit: nanoseconds.
    private static let onlineInterval: Int64 = 10_000_000_000

    /// Minimum interval between two online hard-iron estimates that are stored. Unit: nanoseconds.
    private static let minimumOnlineInterval: Int64 = 600_000_000_000

    init(
        _ reactor: Reactor, repository: CalibrationRepository, application: CalibrationApplication,
        settings: Configuration.Calibration, driver: EngineDriver, environment: DaemonEnvironment
    ) throws(SystemError) {
        self.reactor = reactor
        self.repository = repository
        self.application = application
        self.settings = settings
        self.driver = driver
        self.environment = environment
        simulatedBoard = environment.board as? SimulatedBoard
        fitter = try SerialWorker(reactor, name: "fit")
        repository.onChange = { [weak self] in self?.updateCalibrations() }
    }

    func begin() { reactor.every(Self.onlineInterval) { [unowned self] in keepProvenHardIron() } }

    /// Whether there are sensors to calibrate. A recording that is replayed has none.
    var hasSensors: Bool { environment.board != nil }

    func apply(_ settings: Configuration.Calibration) {
        self.settings = settings
        application.isOn = settings.apply
        updateCalibrations()
    }

    private func updateCalibrations() { driver.updateCalibrations(at: BootTime(nanoseconds: BootClock.nanoseconds)) }

    // MARK: live

    enum Outcome {
        case result(CalibrationResult, isStored: Bool)
        case failure(CalibrationInterface.Failure)
    }

    /// Whether the result is stored, and whether it is stored even if the present calibration is better.
    struct Request {
        var isForced = false
        var isStored = true
    }

    func start(
        _ kind: CalibrationKind, _ request: Request, client: CalibrationReplies
    ) throws(CalibrationInterface.Failure) -> LiveCalibration {
        if let live { throw .alreadyCalibrating(kind: live.kind.message) }
        guard hasSensors else {
            throw .sensorMissing(
                kind: kind.message,
                detail: "a recording is being replayed: calibrate the recording itself with --from")
        }
        for sensor in kind.needs where application.device(of: CalibratedSensor(sensor)) == nil {
            throw .sensorMissing(kind: kind.message, detail: absence(of: CalibratedSensor(sensor)))
        }
        let begun = LiveCalibration(
            reactor, session: kind.session(calibrationSettings()), request, serving: serving(kind), driver: driver,
            fitter: fitter, service: self, client: client)
        live = begun
        simulatedBoard?.handle(HandlingRequest(kind))
        let simulated = simulatedBoard == nil ? "" : "; the simulated board is handled as it asks"
        Log.notice("calibration: \(kind.rawValue) started\(simulated)")
        return begun
    }

    /// Ends the sampling of the calibration under way; returns false if there is none.
    func finish() -> Bool {
        live?.finish()
        return live != nil
    }

    /// Ends a calibration without a result, if it is still under way.
    func cancel(_ other: LiveCalibration) {
        guard let live, live === other else { return }
        Log.notice("calibration: \(live.kind.rawValue) cancelled; nothing was changed")
        live.cancel()
        self.live = nil
    }

    func calibrationProgressed(_ live: LiveCalibration, _ progress: CalibrationProgress) {
        simulatedBoard?.handle(HandlingRequest(live.kind, progress))
    }

    /// Ends a calibration whose sensor has never delivered a sample.
    func calibrationIsMissing(
        _ sensor: SensorCalibration.Sensor, _ ended: LiveCalibration, _ client: CalibrationReplies
    ) {
        live = nil
        let detail = absence(of: CalibratedSensor(sensor))
        client.calibrationEnded(.failure(.sensorMissing(kind: ended.kind.message, detail: detail)))
    }

    /// A sensor's device, and the axes in which it measures.
    struct Serving: Equatable {
        let sensor: CalibratedSensor
        let device: CalibratedDevice?
        let mount: SensorMount?
    }

    /// Returns the devices whose samples go into a calibration.
    private func serving(_ kind: CalibrationKind) -> [Serving] {
        (kind.needs + kind.likes).map { sensor in
            let sensor = CalibratedSensor(sensor)
            let device = application.device(of: sensor)
            return Serving(sensor: sensor, device: device?.device, mount: device?.mount(of: sensor))
        }
    }

    private func absence(of sensor: CalibratedSensor) -> String {
        if let device = application.device(of: sensor) {
            let detail = device.detail.map { ", \($0)" } ?? ""
            return "the \(sensor.rawValue), \(device.device.name), delivers no samples: \(device.state)\(detail)"
        }
        // A sensor that has not been found yet is reported under the name of its kind.
        let report = environment.sources.flatMap(\.reports).first { $0.name == sensor.kind.rawValue }
        let detail = report?.detail.map { ": \($0)" } ?? ""
        return "there is no \(sensor.rawValue)\(detail); `waymark devices` lists the devices found"
    }

    private func calibrationSettings() -> CalibrationSettings {
        var settings = CalibrationSettings(present: present)
        let position = driver.engine.pose?.geodetic ?? driver.engine.learned()?.place?.position
        if let position {
            settings.gravity = Ellipsoid.normalGravity(
                latitude: position.latitudeDegrees * .pi / 180, height: position.ellipsoidalHeight)
            let field = DecimalYear.of(utcSeconds: CalibrationAge.now).flatMap {
                WorldMagneticModel.wmm2025.field(at: position, decimalYear: $0)
            }
            settings.fieldStrength = field.map { $0.totalIntensity / 1000 }
            settings.inclination = field?.inclination
        }
        return settings
    }

    /// Stored calibrations of the connected devices, whether they are applied or not.
    private var present: [SensorCalibration] {
        presentRecords.compactMap { $0.calibration(at: BootTime(nanoseconds: BootClock.nanoseconds)) }
    }

    private var presentFits: [SensorFit] { presentRecords.compactMap(\.fit) }

    private var presentRecords: [CalibrationRecord] {
        SensorCalibration.Sensor.allCases.compactMap { sensor in
            guard let match = application.match(CalibratedSensor(sensor)), match.record.flaw == nil else { return nil }
            return match.record
        }
    }

    // MARK: results

    func calibrationEnded(_ ended: LiveCalibration, _ raw: CalibrationResult, _ client: CalibrationReplies) {
        live = nil
        let request = ended.request
        var result = request.isForced && raw.kind != .gyroscope ? raw : raw.completed(with: presentFits)
        let main = CalibratedSensor(result.kind)
        result.temperature = result.temperature ?? application.device(of: main)?.temperature
        if let sensor = (result.axes?.sensor).map(CalibratedSensor.init),
            let mount = application.device(of: sensor)?.mount(of: sensor)
        {
            result.axes?.setMount(from: mount.matrix, sign: mount.sign)
        }
        let changed = zip(ended.serving, serving(result.kind)).first { $0.0.device != nil && $0.0 != $0.1 }
        if result.verdict.isAccepted, let sensor = changed?.0.sensor {
            result.verdict = .refused(
                .silent,
                "the \(sensor.rawValue) was disconnected or replaced during the calibration: see `waymark devices`"
            )
        }
        if result.verdict.isAccepted, request.isStored, let flaw = flaw(of: result) {
            result.verdict = .refused(.poorFit, "the result cannot be applied: \(flaw)")
        }
        if result.verdict.isAccepted, !request.isForced, request.isStored,
            let objection = objection(to: result, of: main)
        {
            result.verdict = .refused(
                .worseThanPresent,
                "\(objection); nothing was changed: calibrate more thoroughly, or use --force")
        }
        let verdict = result.verdict
        guard verdict.isAccepted, request.isStored else {
            Log.notice("calibration: \(result.kind.rawValue) finished, not stored: \(verdict.reason)")
            return client.calibrationEnded(.result(result, isStored: false))
        }
        keep(result) { problem in
            if let problem {
                Log.warning("calibration: \(problem.path) cannot be written, nothing was changed: \(problem.reason)")
                client.calibrationEnded(.failure(CalibrationInterface.Failure(problem)))
            } else {
                Log.notice("calibration: \(result.kind.rawValue) finished and stored: \(verdict.reason)")
                client.calibrationEnded(.result(result, isStored: true))
            }
        }
    }

    /// Returns the reason why one of the fits cannot be applied; nil if all can.
    private func flaw(of result: CalibrationResult) -> String? {
        for fit in result.fits {
            let record = CalibrationRecord(
                fit, of: result, time: 0, origin: .calibrate, version: Release.version, mount: nil)
            if let flaw = record.flaw { return "\(CalibratedSensor(fit.sensor).rawValue): \(flaw)" }
        }
        return nil
    }

    private func objection(to result: CalibrationResult, of sensor: CalibratedSensor) -> String? {
        guard let match = application.match(sensor), match.record.flaw == nil,
            // A present calibration in other axes is wrong, however small its residual, so it is no reason to object.
            result.axes?.contradicts(match.record.fit) != true
        else { return nil }
        return CalibrationComparison.objection(to: result, present: .init(match.record))
    }

    private func keep(_ result: CalibrationResult, _ then: @escaping (CalibrationRepository.Problem?) -> Void) {
        let fits: [SensorFit?] = result.kind == .noise ? [nil] : result.fits
        let now = CalibrationAge.now
        var additions: [CalibrationEdit] = []
        for fit in fits {
            let sensor = fit.map { CalibratedSensor($0.sensor) } ?? .noise
            guard let device = application.device(of: sensor) else { continue }
            var record = CalibrationRecord(
                fit, of: result, time: now, origin: .calibrate, version: Release.version,
                mount: device.mount(of: sensor))
            if record.turn != nil {
                record.accelerometerMount = application.accelerometerMount?.matrix
            }
            additions.append(CalibrationEdit(device: device.device, sensor: sensor, record: record))
        }
        repository.apply(additions, then: then)
    }

    // MARK: while worn

    private func keepProvenHardIron() {
        guard settings.online, settings.apply, hasSensors, live == nil,
            let proposal = driver.engine.odometry.hardIronProposal, proposal.isProven,
            let device = application.device(of: .magnetometer)
        else { return }
        let board = application.inForce.first { $0.sensor == .mount }?.correction ?? .identity
        var known = application.match(.magnetometer)?.record
        if known?.flaw != nil { known = nil }
        let record = CalibrationRecord(
            hardIron: proposal.offset, standardDeviation: proposal.standardDeviation, over: known, board: board,
            mount: device.mount(of: .magnetometer), seconds: proposal.seconds, version: Release.version)
        guard Reactor.now >= nextOnline else { return }
        nextOnline = Reactor.now + Self.minimumOnlineInterval
        repository.apply([CalibrationEdit(device: device.device, sensor: .magnetometer, record: record)]) { problem in
            if let problem { Self.log.write(.warning, "\(problem.path) cannot be written: \(problem.reason)") }
        }
    }

    private static let log = LogLimiter("calibration", lines: 1, interval: 3_600_000_000_000)

    // MARK: the end

    func requestEnd() {
        live?.cancel()
        fitter.requestEnd()
        repository.requestEnd()
    }

    func end(_ budget: TimeBudget) {
        repository.end(timeoutSeconds: budget.secondsLeft)
        // A running fit is abandoned, because no client waits for its result any more.
        _ = fitter.end(timeoutSeconds: 0)
    }
}

extension CalibrationComparison.Present {
    init(_ record: CalibrationRecord) {
        self.init(
            residualRMS: record.residualRMS, predictedHeadingError: record.predictedHeadingError,
            predictedTiltError: record.predictedTiltError)
    }
}
