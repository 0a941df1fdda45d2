import Calibration
import Documents
import Linux
import Model
import Simulation

/// Calibration under way. It takes samples and reports progress. The fit is computed on a worker thread, where it
/// delays nothing else.
final class LiveCalibration {
    let kind: CalibrationKind
    let request: CalibrationService.Request
    /// Devices whose samples go into the calibration.
    let serving: [CalibrationService.Serving]
    private let driver: EngineDriver
    private let fitter: SerialWorker
    private let reactor: Reactor
    /// Client that has asked for the calibration; nil once the client has the result, or after a cancellation.
    private var client: CalibrationReplies?
    private weak var service: CalibrationService?
    /// Session that takes the samples; nil once the fit has begun, or after a cancellation.
    private var session: (any CalibrationSession)?
    private var timer: TimerIdentifier?
    private var sensors: [Watched]

    private struct Watched {
        let sensor: SensorCalibration.Sensor
        /// Whether the calibration needs the sensor. A sensor that only helps may be missing from the start.
        let isNeeded: Bool
        let countAtStart: UInt64
        var count: UInt64
        var lastChange: Int64
    }

    /// Interval of the checks for progress and for silent sensors. Unit: nanoseconds.
    private static let interval: Int64 = 100_000_000
    /// Time that a sensor may be silent before the calibration ends. It is this long because the source itself tries
    /// for one to three seconds to bring the sensor back. Unit: nanoseconds.
    private static let patience: Int64 = 3_000_000_000

    /// Begins the calibration immediately.
    ///
    /// - Parameters:
    ///   - fitter: thread that computes the fit.
    ///   - client: gets the progress from this object, and the result from the service.
    init(
        _ reactor: Reactor, session: any CalibrationSession, _ request: CalibrationService.Request,
        serving: [CalibrationService.Serving], driver: EngineDriver, fitter: SerialWorker,
        service: CalibrationService, client: CalibrationReplies
    ) {
        kind = session.kind
        self.request = request
        self.serving = serving
        self.reactor = reactor
        self.session = session
        self.driver = driver
        self.fitter = fitter
        self.service = service
        self.client = client
        sensors = SensorCalibration.Sensor.allCases.filter { $0 != .mount }.compactMap { [kind] sensor in
            let isNeeded = kind.needs.contains(sensor)
            guard isNeeded || kind.likes.contains(sensor) else { return nil }
            let count = driver.presence.count(of: sensor)
            return Watched(
                sensor: sensor, isNeeded: isNeeded, countAtStart: count, count: count, lastChange: Reactor.now)
        }
        timer = reactor.every(Self.interval) { [weak self] in self?.look() }
    }

    deinit { if let timer { reactor.cancel(timer) } }

    func take(_ measurement: Measurement) { session?.feed(measurement) }

    /// Ends the sampling and computes the result from the samples so far. Does nothing during the fit.
    func finish() { fit { $0.result() } }

    /// Ends the calibration without a result.
    func cancel() {
        client = nil
        session = nil
        stopLooking()
    }

    private func look() {
        if let silent = silentSensor() { return fallSilent(silent) }
        guard let session else { return }
        if let client {
            service?.calibrationProgressed(self, session.progress)
            client.calibrationProgressed(session.progress)
        }
        if session.isComplete { finish() }
    }

    // MARK: silence

    private func silentSensor() -> Watched? {
        for index in sensors.indices {
            let count = driver.presence.count(of: sensors[index].sensor)
            if count != sensors[index].count {
                sensors[index].count = count
                sensors[index].lastChange = Reactor.now
            }
        }
        return sensors.first {
            ($0.isNeeded || $0.count != $0.countAtStart) && Reactor.now - $0.lastChange > Self.patience
        }
    }

    private func fallSilent(_ watched: Watched) {
        guard watched.count != watched.countAtStart else {
            let client = client
            cancel()
            if let client { service?.calibrationIsMissing(watched.sensor, self, client) }
            return
        }
        let reason =
            "the \(CalibratedSensor(watched.sensor).rawValue) sent no samples for \(Self.patience / 1_000_000_000) s; "
            + "see `waymark devices`, and start again when it delivers samples"
        fit { session in
            var result = session.result()
            result.verdict = .refused(.silent, reason)
            return result
        }
    }

    // MARK: the fit

    private func fit(_ result: @escaping @Sendable (any CalibrationSession) -> CalibrationResult) {
        guard let fed = session.take() else { return }
        stopLooking()
        fitter.perform {
            WorkerThread.lowerPriority()
            defer { ProcessResources.returnFreeMemory() }
            return result(fed)
        } then: { [weak self] result in
            guard let self, let client = client.take() else { return }
            service?.calibrationEnded(self, result, client)
        }
    }

    private func stopLooking() {
        if let timer { reactor.cancel(timer) }
        timer = nil
    }
}

extension CalibrationKind {
    /// Sensors that the calibration requires.
    var needs: [SensorCalibration.Sensor] {
        switch self {
        case .gyroscope: [.gyroscope]
        case .accelerometer: [.accelerometer]
        case .magnetometer: [.magnetometer]
        case .mount, .noise: [.gyroscope, .accelerometer]
        }
    }

    /// Sensors that improve the result if present; they must not disappear during the calibration.
    var likes: [SensorCalibration.Sensor] {
        switch self {
        case .gyroscope, .mount, .noise: []
        case .accelerometer: [.gyroscope]
        case .magnetometer: [.accelerometer, .gyroscope]
        }
    }
}

extension HandlingRequest {
    /// Creates the request at the start of a calibration.
    package init(_ kind: CalibrationKind) {
        switch kind {
        case .gyroscope, .noise: self.init(.rest)
        case .accelerometer: self.init(.poses)
        case .magnetometer: self.init(.turning)
        case .mount: self.init(.walk)
        }
    }

    /// Creates the request at a step of a calibration.
    package init(_ kind: CalibrationKind, _ progress: CalibrationProgress) {
        self.init(kind)
        asksForNext = [.turnToNextPose, .walkStraight].contains(progress.instruction)
        up = progress.missing
    }
}
