import Configuration
import Linux
import Sensors
import Varlink
import WaymarkInterface

/// Reduces the sensors' work while no client takes poses, and otherwise has their samples delivered as often as clients
/// take poses; runs on the reactor's thread.
///
/// The following count as clients: streams of any kind except the navigator's, clients of the pose ring, a recent call
/// for a pose or the scene, a recording, and a calibration under way.
final class PowerControl {
    /// Interval for which a call for a pose or the scene stands. Such calls may be many, and each gets the newest pose.
    /// Unit: nanoseconds.
    private static let callInterval: Int64 = 40_000_000

    /// Sources that can reduce their work; if there are none, this object does nothing.
    private let sources: [any MeasurementSource]
    /// The server owns the methods that call this object, so the reference back is unowned.
    private unowned let server: VarlinkServer
    private let results: EngineResults
    private let reading: SensorReading
    private let log = LogLimiter("power", lines: 6, interval: 60_000_000_000)
    private var settings: Configuration.Power
    private var governor: PowerGovernor
    /// Pace that the sources have.
    private var lastPace: SamplingPace?

    init(
        _ settings: Configuration.Power, environment: DaemonEnvironment, server: VarlinkServer,
        results: EngineResults, reading: SensorReading
    ) {
        self.settings = settings
        self.reading = reading
        sources = environment.hasSensors ? environment.sources : []
        self.server = server
        self.results = results
        governor = PowerGovernor(patience: settings.patience, at: Reactor.now)
    }

    /// Whether there is a client now, not counting calls.
    private var isBusy: Bool {
        server.statistics.streams > results.scene.servingStreams || results.ring.hasClients
            || results.recorder.isRecording || results.calibrations.live != nil
    }

    /// Shortest interval at which a client takes poses; nil without a client. A client of the ring is assumed to take
    /// every pose, because its reading is not seen. Unit: nanoseconds.
    private var interval: Int64? {
        if results.ring.hasClients { return 0 }
        let rate = max(results.publisher.highestRate, results.scene.highestRate)
        if rate > 0 { return Int64(1e9 / rate) }
        return isBusy || !settings.enabled ? PowerGovernor.longestInterval : nil
    }

    /// Sets the pace of the beginning; to be called before the sources start.
    func begin() { if !sources.isEmpty { setPace() } }

    /// Notes a client's call that needs the sensors; when this returns, they have been set to their full rate, if their
    /// source controls it.
    ///
    /// A call for a stream does not count by itself, because the stream then does, with its own rate.
    func note(_ call: Call) { look(isCalled: !call.wantsMore) }

    /// Checks for clients; to be called a few times a second, because a client that leaves does not announce it.
    func look() { look(isCalled: false) }

    private func look(isCalled: Bool) {
        let interval = isCalled ? min(interval ?? .max, Self.callInterval) : interval
        guard !sources.isEmpty, governor.note(interval, at: Reactor.now) else { return }
        if setPace() { log.write(.info, "power: \(line)") }
    }

    private var line: String {
        switch pace {
        case .idle: "idle, poses are not used; \(idleRates)"
        case .active(let delay): "active, samples are delivered within \((delay * 1e4).rounded() / 10) ms"
        }
    }

    func apply(_ settings: Configuration.Power) {
        self.settings = settings
        governor.apply(patience: settings.patience)
        if governor.mode == .idle { setPace() }
        look()
    }

    /// Returns whether this is another pace.
    @discardableResult
    private func setPace() -> Bool {
        let pace = pace
        guard pace != lastPace else { return false }
        lastPace = pace
        for source in sources { source.setPace(pace) }
        reading.follow(pace)
        return true
    }

    private var pace: SamplingPace {
        switch governor.mode {
        case .idle: .idle(settings.rates)
        case .active(let interval): .following(interval: Double(interval) * 1e-9)
        }
    }

    private var idleRates: String {
        let rates = settings.rates
        return "inertial sensors at \(rates.inertial) Hz, magnetometer at \(rates.magnetic) Hz, if supported"
    }

    var message: StatusInterface.Power {
        StatusInterface.Power(
            mode: governor.mode.message, age: Double(Reactor.now - governor.since) * 1e-9, wakes: governor.wakes)
    }
}

extension PowerGovernor.Mode {
    fileprivate var message: StatusInterface.PowerMode {
        switch self {
        case .active: .active
        case .idle: .idle
        }
    }
}

extension Configuration.Power {
    fileprivate var patience: Int64 { Int64(idleAfterSeconds * 1e9) }

    fileprivate var rates: SamplingPace.Rates {
        SamplingPace.Rates(
            inertial: idleInertialRateHz, magnetic: idleMagnetometerRateHz, pressure: idleBarometerRateHz)
    }
}
