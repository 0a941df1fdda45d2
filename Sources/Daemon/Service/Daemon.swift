import Configuration
import Glibc
import Linux
import Model
import Persistence
import Varlink

/// The daemon: sources, engine and socket on one reactor, from start to clean end.
public final class Daemon {
    var configuration: Configuration
    /// Reads the settings again on SIGHUP; nil if they do not come from files.
    let reload: (() throws(ConfigurationError) -> Configuration)?
    private let environment: DaemonEnvironment
    private let reactor: Reactor
    let notifier = ServiceNotifier()
    let announcer: StateAnnouncer
    private let driver: EngineDriver
    private let reading: SensorReading
    private let moments = PastMoments()
    private let results: EngineResults
    let ring: PoseRingService
    let poses: PoseMethods
    private let aids: AidMethods
    private let surroundings: Surroundings
    let scene: SceneService
    let calibrations: CalibrationService
    private let warmStart: WarmStartKeeper
    let recorder: RecordingControl
    let server: VarlinkServer
    let interfaces: InterfaceRegistry
    let power: PowerControl
    private let parts: [any DaemonPart]
    /// Paths of the stream sockets that the daemon has bound itself, without those of the service manager.
    private let paths: [String]
    private var signals: SignalWatch?
    private var watchdog = Watchdog()
    private var isStopping = false

    /// Interval at which the engine gets the current time, so that it notices silent sensors. Unit: nanoseconds.
    static let heartbeat: Int64 = 250_000_000
    /// Interval at which the service manager's status line is refreshed. Unit: nanoseconds.
    private static let statusInterval: Int64 = 5_000_000_000
    /// Time that clients are given during a stop. The whole stop may take one second. Unit: nanoseconds.
    private static let farewell: Int64 = 200_000_000
    /// Time that the sources and the parts, such as a recording, are given to end concurrently. It is part of the same
    /// second. Unit: seconds.
    private static let ending = 0.6

    /// - Parameter reload: reads the settings again on SIGHUP.
    package init(
        configuration: Configuration, environment: DaemonEnvironment, listeners: [UnixListener],
        reload: (() throws(ConfigurationError) -> Configuration)? = nil
    ) throws {
        self.configuration = configuration
        self.environment = environment
        self.reload = reload
        let (service, state) = (configuration.service, configuration.state)
        reactor = try Reactor()
        ring = PoseRingService(
            reactor, listeners: listeners.filter { $0.kind == .packets },
            limit: ShareLimit(ofRingClients: service), isEnabled: service.poseRing)
        let learned = try WarmStartRepository(
            reactor, state, given: environment.warmStart, isLive: environment.board != nil)
        let stored = try CalibrationRepository(reactor, state: environment.board == nil ? nil : state.directory)
        let application = CalibrationApplication(
            repository: stored, isOn: configuration.calibration.apply, board: environment.board)
        let plans = try PlanRepository(reactor, folder: environment.planFolder(directory: state.directory))
        driver = try EngineDriver(
            settings: configuration.scene, environment: environment, warmStart: learned.start,
            calibration: application, plans: plans)
        reading = SensorReading(reactor, environment: environment)
        announcer = StateAnnouncer(notifier: notifier)
        let publisher = PosePublisher()
        poses = PoseMethods(publisher: publisher, driver: driver, moments: moments, settings: configuration.pose)
        aids = AidMethods(
            queue: environment.queues.offers, sensors: environment.offered, driver: driver, camera: environment.camera)
        calibrations = try CalibrationService(
            reactor, repository: stored, application: application, settings: configuration.calibration,
            driver: driver, environment: environment)
        let terrain = try TerrainRepository(reactor, folder: environment.terrainFolder(directory: state.directory))
        surroundings = Surroundings(plans: plans, terrain: terrain, driver: driver, environment: environment)
        scene = try SceneService(
            reactor, driver: driver, poses: publisher, moments: moments, environment: environment,
            configuration: configuration)
        warmStart = WarmStartKeeper(reactor, learned, driver: driver)
        recorder = try RecordingControl(
            reactor, settings: configuration.recording, driver: driver, publisher: publisher)
        results = EngineResults(
            announcer: announcer, publisher: publisher, ring: ring, scene: scene, calibrations: calibrations,
            recorder: recorder)
        server = VarlinkServer(
            reactor,
            information: ServiceInformation(
                vendor: "Waymark", product: "waymarkd", version: Release.version, url: "man:waymarkd(8)"),
            limits: ServerLimits(service), limitError: "org.waymark.Status.LimitExceeded")
        power = PowerControl(
            configuration.power, environment: environment, server: server, results: results, reading: reading)
        parts = [ring, surroundings, scene, calibrations, warmStart, recorder]
        let streams = listeners.filter { $0.kind == .stream }
        paths = streams.compactMap(\.path)
        interfaces = InterfaceRegistry(server, Authorization(service))
        driver.results = results
        ring.onClient = { [weak power] in power?.look() }
        server.observer = self
        let status = StatusMethods(
            isDemonstration: configuration.isDemonstration, environment: environment, driver: driver, server: server,
            ring: ring, scene: scene, plans: plans, aids: aids, calibrations: calibrations, warmStart: warmStart,
            recorder: recorder, power: power)
        // What the sensors hold is used first, so that an answer is as new as they are.
        let update = { [unowned self] in takeMeasurements() }
        interfaces.register(poses.answer, before: update, then: power.note)
        interfaces.register(status.answer)
        interfaces.register(scene.methods.answer, before: update, then: power.note)
        interfaces.register(RecordingMethods(control: recorder).answer, then: { [power] _ in power.look() })
        interfaces.register(CalibrationMethods(service: calibrations).answer, then: { [power] _ in power.look() })
        interfaces.register(aids.answer)
        interfaces.register(PlanMethods(reactor, plans, driver).answer)
        interfaces.register(TerrainMethods(reactor, terrain).answer)
        for listener in streams { try server.listen(on: listener) }
    }

    /// Serves until SIGTERM or SIGINT (in a demonstration also SIGHUP) arrives, or until all sources have ended.
    public func run() throws(SystemError) {
        ignoreSIGPIPE()
        reserveDescriptors()
        // The signals are watched before any thread starts, so that all threads leave these signals to the reactor.
        signals = try SignalWatch(reactor, Self.signals(isDemonstration: configuration.isDemonstration)) {
            [unowned self] in receive(signal: $0)
        }
        // Each signal is one event, so that the descriptor need not be read.
        try reactor.watch(environment.queues.wake.descriptor, [.reading, .edges], precedence: .first) {
            [unowned self] _ in takeMeasurements()
        }
        try reading.begin { [unowned self] in takeMeasurements() }
        power.begin()
        reactor.every(Self.heartbeat) { [unowned self] in beat() }
        reactor.every(Self.statusInterval) { [unowned self] in announcer.refresh(driver.engine.pose) }
        if let interval = notifier.watchdogInterval {
            reactor.every(max(interval / 3, 1_000_000)) { [unowned self] in reportHealth() }
        }
        for part in parts { part.begin() }
        for source in environment.sources { source.start() }
        let place = paths.isEmpty ? "" : " on " + paths.joined(separator: ", ")
        Log.notice("waymarkd \(Release.version) serves poses from \(environment.origin.rawValue)\(place)")
        notifier.ready(status: announcer.statusLine)
        reactor.run()
        end()
        Log.notice("stopped")
    }

    /// Asks all parts to end before it waits for any, so that delays by a disk, a server or a name lookup overlap. The
    /// sources are asked last, because the warm start needs the names of their sensors.
    private func end() {
        let budget = TimeBudget(seconds: Self.ending)
        for part in parts { part.requestEnd() }
        for source in environment.sources { source.requestStop() }
        for source in environment.sources { source.stop(timeoutSeconds: budget.secondsLeft) }
        for part in parts.reversed() { part.end(budget) }
    }

    /// Feeds the waiting measurements to the engine, and publishes the scene for the newest pose if no measurement is
    /// left.
    private func takeMeasurements() {
        reading.collect()
        let isAll = driver.drain()
        aids.offerCamera()
        if isAll { scene.publish() }
    }

    private func beat() {
        reading.look()
        takeMeasurements()
        moments.readClocks()
        driver.tick()
        power.look()
        scene.lookAround()
        surroundings.lookAround()
        aids.observe()
        warmStart.observe()
        if !environment.sources.isEmpty, environment.sources.allSatisfy(\.hasEnded) { stop() }
    }

    private func reportHealth() {
        if watchdog.isHealthy(inertialSamples: driver.inertialSamples, poses: driver.poses) { notifier.watchdog() }
    }

    // MARK: signals

    /// Signals that the daemon handles. A demonstration belongs to its terminal and ends at that terminal's SIGHUP,
    /// unless nohup(1) has made the process ignore it.
    ///
    /// - Parameter isDemonstration: whether the daemon runs the embedded demonstration.
    public static func signals(isDemonstration: Bool) -> [Int32] {
        [SIGTERM, SIGINT] + (isDemonstration && isIgnored(SIGHUP) ? [] : [SIGHUP])
    }

    private func receive(signal: Int32) {
        switch signal {
        // With a service manager, SIGHUP is a request to reload and not a closed terminal.
        case SIGHUP where !configuration.isDemonstration || notifier.hasManager: reloadSettings()
        default: stop()
        }
    }

    private func stop() {
        guard !isStopping else { return }
        isStopping = true
        notifier.stopping()
        scene.refuseRoutes()
        server.shutDown(within: Self.farewell) { [unowned self] in reactor.stop() }
    }
}

extension Daemon: ClientObserver {
    package func clientHasGone(_ client: ClientIdentifier) {
        driver.engine.disconnect(client.number)
        scene.disconnect(client)
        aids.disconnect(client)
    }
}
