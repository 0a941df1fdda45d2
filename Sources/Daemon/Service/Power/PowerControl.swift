import Configuration
import Linux
import Sensors
import Varlink
import WaymarkInterface

/// Reduces the sensors' work while no client takes poses, and sets them to their lowest latency while a client draws
/// poses; runs on the reactor's thread.
///
/// The following count as clients: streams of any kind except the navigator's, clients of the pose ring, a recent call
/// for a pose or the scene, a recording, and a calibration under way.
final class PowerControl {
    /// Rate from which a client is assumed to draw: half the rate of a common display. Unit: Hz.
    static let renderingRate = 30.0

    /// Sources that can reduce their work; if there are none, this object does nothing.
    private let sources: [any MeasurementSource]
    /// The server owns the methods that call this object, so the reference back is unowned.
    private unowned let server: VarlinkServer
    private let results: EngineResults
    private let log = LogLimiter("power", lines: 6, interval: 60_000_000_000)
    private var settings: Configuration.Power
    private var governor: PowerGovernor

    init(
        _ settings: Configuration.Power, environment: DaemonEnvironment, server: VarlinkServer,
        results: EngineResults
    ) {
        self.settings = settings
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

    /// Whether a client draws the poses that it gets.
    private var isRendering: Bool {
        results.ring.hasClients
            || max(results.publisher.highestRate, results.scene.highestRate) >= Self.renderingRate
    }

    /// Notes a client's call that needs the sensors; when this returns, they have been set to their full rate, if their
    /// source controls it.
    func note() { look(isCalled: true) }

    /// Checks for clients; to be called a few times a second, because a client that leaves does not announce it.
    func look() { look(isCalled: false) }

    private func look(isCalled: Bool) {
        let isWanted = isCalled || !settings.enabled || isBusy
        let use: PowerGovernor.Use = isRendering ? .rendering : isWanted ? .poses : .none
        guard !sources.isEmpty, governor.note(use, at: Reactor.now) else { return }
        setPace()
        log.write(.info, "power: \(line)")
    }

    private var line: String {
        switch governor.mode {
        case .idle: "idle, poses are not used; \(idleRates)"
        case .active: "active"
        case .rendering: "active, each sample at once for a display"
        }
    }

    func apply(_ settings: Configuration.Power) {
        self.settings = settings
        governor.apply(patience: settings.patience)
        if governor.mode == .idle { setPace() }
        look()
    }

    private func setPace() {
        let pace = pace
        for source in sources { source.setPace(pace) }
    }

    private var pace: SamplingPace {
        switch governor.mode {
        case .idle: .idle(settings.rates)
        case .active: .full
        case .rendering: .immediate
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
        case .active, .rendering: .active
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
