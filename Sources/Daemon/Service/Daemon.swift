import Configuration
import Engine
import Glibc
import Linux
import Model
import Persistence
import Recording
import Scene
import Varlink
import WaymarkInterface

/// The daemon: sources, engine and socket on one reactor, from start to clean end.
public final class Daemon {
    private let reactor: Reactor
    private let environment: DaemonEnvironment
    private let server: VarlinkServer
    private let driver: EngineDriver
    private let publisher: PosePublisher
    private let ring: PoseRingService
    private let announcer: StateAnnouncer
    private let notifier = ServiceNotifier()
    /// Paths at which clients find the daemon, as far as it chose them itself.
    private let paths: [String]
    private let recorder: RecordingControl
    private let keeper: WarmStartRepository
    /// Warm start as last reported.
    private var reportedWarmStart: WarmStartReport?
    private let interfaces: InterfaceRegistry
    private let poseMethods: PoseMethods
    private let moments = PastMoments()
    private let scene: SceneService
    private let recordingMethods: RecordingMethods
    private let calibrations: CalibrationService
    private let calibrationMethods: CalibrationMethods
    private let aids: AidMethods
    private let plans: PlanRepository
    private let planMethods: PlanMethods
    private let nearbyPlans: NearbyPlans
    private let terrain: TerrainRepository
    private let terrainMethods: TerrainMethods
    private let nearbyTerrain: NearbyHeights<Terrain>
    private let nearbyBuildings: NearbyHeights<Buildings>
    private let power: PowerControl
    private var signals: SignalWatch?
    private var watchdog = Watchdog()
    private var poseRate = RateMeter()
    private var configuration: Configuration
    /// Reads the settings again for SIGHUP; nil where they are not from files.
    private let reload: (() throws(ConfigurationError) -> Configuration)?
    private var isStopping = false

    /// Interval at which the engine gets the time, so that it notices silence. Unit: nanoseconds.
    private static let heartbeat: Int64 = 250_000_000
    /// Interval at which a recording takes what has changed of the map and of the sensors. Unit: nanoseconds.
    private static let recordedChangesInterval: Int64 = 10_000_000_000
    /// Interval at which the service manager's status line is refreshed. Unit: nanoseconds.
    private static let statusInterval: Int64 = 5_000_000_000
    /// Interval of checks whether there is a warm start to keep. Unit: nanoseconds.
    private static let keepInterval: Int64 = 10_000_000_000
    /// Time that clients get of the one second that a stop may take altogether. Unit: nanoseconds.
    private static let farewell: Int64 = 200_000_000
    /// Sensors, recordings and the daemon itself hold no more, by far.
    private static let ownDescriptors = 256
    /// Sources and a recording end side by side, in another part. Seconds.
    private static let ending = 0.6

    /// - Parameter reload: reads the settings again for SIGHUP.
    public init(
        configuration: Configuration, environment: DaemonEnvironment, listeners: [UnixListener],
        reload: (() throws(ConfigurationError) -> Configuration)? = nil
    ) throws {
        self.configuration = configuration
        self.environment = environment
        self.reload = reload
        reactor = try Reactor()
        announcer = StateAnnouncer(notifier: notifier)
        publisher = PosePublisher()
        recorder = try RecordingControl(reactor: reactor, settings: configuration.recording)
        recordingMethods = RecordingMethods(control: recorder)
        ring = PoseRingService(
            reactor, listeners: listeners.filter { $0.kind == .packets },
            limit: ShareLimit(ofRingClients: configuration.service), isEnabled: configuration.service.poseRing)
        let outlets = EngineDriver.Outlets(
            measurement: { [recorder, publisher] in
                recorder.take($0)
                if case .fix(let fix) = $0 { publisher.learnUTC(fix) }
            },
            warmStart: { [recorder] in recorder.take($0) },
            plans: { [recorder] in recorder.take($0) },
            pose: { [recorder, announcer, publisher, ring] in
                announcer.observe($0)
                publisher.publish($0)
                ring.write($0, utcOffset: publisher.utcOffset, terms: publisher.predictionTerms)
                recorder.take($0, sequence: publisher.poseSequence)
            },
            outdatedPose: { [recorder, announcer, publisher, ring] in
                announcer.observe($0)
                publisher.skip($0)
                ring.write($0, utcOffset: publisher.utcOffset, terms: publisher.predictionTerms)
                recorder.take($0, sequence: publisher.poseSequence)
            },
            frame: { [recorder, publisher, ring] in
                publisher.publish($0, at: $1)
                ring.take($0)
                recorder.take($0, sequence: publisher.frameSequence)
            },
            route: { Log.notice("route: \($0)") })
        keeper = try WarmStartRepository(
            reactor, configuration.state, given: environment.warmStart, isLive: environment.sensors != nil)
        driver = EngineDriver(
            engine: Engine(settings: configuration.scene), queues: environment.queues, warmStart: keeper.start,
            sensors: environment.sensors ?? { WarmStart.Sensors() }, outlets: outlets)
        driver.beginning = environment.beginning
        driver.restored = { [publisher] in publisher.learnUTC(offset: $0) }
        poseMethods = PoseMethods(
            publisher: publisher, driver: driver, moments: moments, settings: configuration.pose)
        for calibration in environment.calibrations { driver.calibrate(calibration) }
        calibrations = try CalibrationService(
            reactor, state: configuration.state.directory, settings: configuration.calibration,
            surroundings: .init(driver: driver, environment: environment))
        calibrationMethods = CalibrationMethods(service: calibrations)
        aids = AidMethods(
            queue: environment.queues.offers, sensors: environment.offered, driver: driver, camera: environment.camera)
        plans = try PlanRepository(
            reactor, folder: environment.planFolder(directory: configuration.state.directory))
        planMethods = PlanMethods(reactor, plans, driver)
        nearbyPlans = NearbyPlans(plans)
        terrain = try TerrainRepository(
            reactor, folder: environment.terrainFolder(directory: configuration.state.directory))
        terrainMethods = TerrainMethods(reactor, terrain)
        nearbyTerrain = .terrain(terrain)
        nearbyTerrain.onChange = { [driver] in driver.engine.use($0) }
        nearbyBuildings = .buildings(terrain)
        nearbyBuildings.onChange = { [driver] in driver.engine.use($0) }
        driver.plansWork = { [plans] work, then in
            plans.perform { _ in
                work()
            } then: { result in
                if case .success(let library) = result { then(library) }
            }
        }
        nearbyPlans.onChange = { [driver, unowned nearbyPlans] in driver.use(nearbyPlans.library) }
        recorder.learned = { [unowned driver] in driver.engine.learned() }
        recorder.calibrations = { [unowned driver] in driver.engine.calibrations }
        recorder.about = { [unowned driver, publisher] in
            RecordingAbout(host: Self.hostName, sensors: driver.sensors(), utcOffset: publisher.utcOffset)
        }
        recorder.standing = { [publisher] in publisher.latestFrame?.frame }
        recorder.map = { [unowned driver] in RecordedMap(of: &driver.engine) }
        recorder.plans = { [unowned driver] in driver.engine.library }
        recorder.estimator = { [unowned driver] in driver.hasMeasured ? driver.engine.estimatorState() : nil }
        try driver.engine.follow(environment.route)
        scene = try SceneService(
            reactor, driver: driver, poses: publisher, moments: moments, environment: environment,
            configuration: configuration)
        server = VarlinkServer(
            reactor,
            information: ServiceInformation(
                vendor: "Waymark", product: "waymarkd", version: Release.version, url: "man:waymarkd(8)"),
            limits: ServerLimits(configuration.service), limitError: "org.waymark.Status.LimitExceeded")
        interfaces = InterfaceRegistry(server, Authorization(configuration.service))
        let streams = listeners.filter { $0.kind == .stream }
        paths = streams.compactMap(\.path)
        power = PowerControl(
            configuration.power, sources: environment.hasSensors ? environment.sources : [],
            isBusy: { [recorder, calibrations, ring, scene, unowned server] in
                server.statistics.streams > scene.servingStreams || ring.hasClients || recorder.isRecording
                    || calibrations.live != nil
            },
            isRendering: { [publisher, scene, ring] in
                ring.hasClients || max(publisher.highestRate, scene.highestRate) >= PowerControl.renderingRate
            })
        ring.clientCame = { [unowned self] in power.look() }
        server.onClientGone = { [driver, aids, scene] in
            driver.engine.disconnect($0.number)
            scene.disconnect($0)
            aids.disconnect($0)
        }
        registerInterfaces()
        for listener in streams { try server.listen(on: listener) }
    }

    /// Signals that the daemon handles. A demonstration is a program of its terminal, at whose SIGHUP it ends; nohup(1)
    /// has that ignored.
    ///
    /// - Parameter isDemonstration: whether it runs the embedded demonstration.
    public static func signals(isDemonstration: Bool) -> [Int32] {
        [SIGTERM, SIGINT] + (isDemonstration && isIgnored(SIGHUP) ? [] : [SIGHUP])
    }

    /// Serves until SIGTERM, SIGINT, in a demonstration SIGHUP, or until all sources have ended.
    public func run() throws(SystemError) {
        ignoreSIGPIPE()
        reserveDescriptors()
        // Before any thread starts, so that all of them leave these signals to the reactor.
        signals = try SignalWatch(reactor, Self.signals(isDemonstration: configuration.isDemonstration)) {
            [unowned self] in receive(signal: $0)
        }
        try reactor.watch(environment.queues.wake.descriptor, .reading, precedence: .first) { [unowned self] _ in
            takeMeasurements()
        }
        reactor.every(Self.heartbeat) { [unowned self] in beat() }
        reactor.every(Self.keepInterval) { [unowned self] in if keeper.isDue { keepWarmStart() } }
        reactor.every(Self.recordedChangesInterval) { [unowned self] in recorder.takeChanges() }
        reactor.every(Self.statusInterval) { [unowned self] in announcer.refresh(driver.engine.pose) }
        if let interval = notifier.watchdogInterval {
            reactor.every(max(interval / 3, 1_000_000)) { [unowned self] in reportHealth() }
        }
        scene.begin()
        if configuration.recording.atStart { recorder.startAtLaunch() }
        lookForPlans()
        for source in environment.sources { source.start() }
        let place = paths.isEmpty ? "" : " on " + paths.joined(separator: ", ")
        Log.notice("waymarkd \(Release.version) serves poses from \(environment.origin.rawValue)\(place)")
        notifier.ready(status: announcer.statusLine)
        reactor.run()
        end()
        Log.notice("stopped")
    }

    /// Asks all before it waits for any: what a disk, a server or a lookup of a name holds up shares the time that is
    /// left.
    private func end() {
        let budget = TimeBudget(seconds: Self.ending)
        ring.end()
        keepWarmStart()
        keeper.requestEnd()
        recorder.requestEnd()
        calibrations.requestEnd()
        scene.requestEnd()
        plans.requestEnd()
        terrain.requestEnd()
        for source in environment.sources { source.requestStop() }
        for source in environment.sources { source.stop(timeoutSeconds: budget.secondsLeft) }
        recorder.stopNow(timeoutSeconds: budget.secondsLeft)
        keeper.end(timeoutSeconds: budget.secondsLeft)
        calibrations.end(budget)
        scene.end(budget)
        plans.end(timeoutSeconds: budget.secondsLeft)
        terrain.end(timeoutSeconds: budget.secondsLeft)
    }

    /// Name of this computer; empty where it has none.
    private static var hostName: String {
        var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private func keepWarmStart() { keeper.keep(driver.engine.learned(), driver.sensors()) }

    /// Reports once what the estimate began with, and again when something of it has been given up.
    private func reportWarmStart() {
        guard let report = driver.engine.warmStartReport, report != reportedWarmStart else { return }
        reportedWarmStart = report
        Log.notice("warm start: \(StatusInterface.WarmStart(report, foreign: driver.foreign, absence: nil).line)")
    }

    private func registerInterfaces() {
        let status = StatusMethods(
            .init(
                source: environment.origin.rawValue, isDemonstration: configuration.isDemonstration, driver: driver,
                recorder: recorder,
                warmStart: { [driver, keeper] in
                    StatusInterface.WarmStart(
                        driver.engine.warmStartReport, foreign: driver.foreign, absence: keeper.absence)
                },
                calibration: { [driver, calibrations] in
                    StatusInterface.Calibration(
                        calibrations, residuals: driver.engine.residuals, proposal: driver.engine.hardIronProposal)
                },
                devices: { [environment] in environment.sources.flatMap(\.reports) },
                statistics: { [unowned server] in server.statistics },
                poseRing: { [ring] in ring.message },
                power: { [unowned self] in environment.hasSensors ? power.message : nil },
                poseRate: { [unowned self] in poseRate.perSecond },
                damagedPlaces: { [scene] in scene.damagedPlaces },
                damagedPlans: { [plans] in plans.damaged },
                refusedAids: { [aids] in aids.refused },
                poseLatency: { [driver, environment] in environment.origin == .replay ? nil : driver.latency }))
        interfaces.register(poseMethods.answer, then: power.note)
        interfaces.register(status.answer)
        interfaces.register(scene.methods.answer, then: power.note)
        interfaces.register(recordingMethods.answer, then: power.look)
        interfaces.register(calibrationMethods.answer, then: power.look)
        interfaces.register(aids.answer)
        interfaces.register(planMethods.answer)
        interfaces.register(terrainMethods.answer)
    }

    /// Feeds the engine what waits, and lets the scene follow the newest pose when that was all.
    private func takeMeasurements() {
        let isAll = driver.drain()
        // After the wake-up was cleared: what comes meanwhile sets it again.
        aids.offerCamera()
        if isAll { scene.publish() }
    }

    private func beat() {
        takeMeasurements()
        moments.readClocks()
        driver.tick()
        power.look()
        scene.lookAround()
        lookForPlans()
        poseRate.observe(driver.poses, at: Reactor.now)
        aids.observe()
        reportWarmStart()
        if !environment.sources.isEmpty, environment.sources.allSatisfy(\.hasEnded) { stop() }
    }

    /// Lets the plans, terrain and buildings at hand follow the wearer; the plans of a recording are its own, and the
    /// others are not stored with one.
    private func lookForPlans() {
        if let library = environment.recordedPlans.take() { driver.use(library) }
        guard environment.origin != .replay, let position = driver.engine.pose?.geodetic else { return }
        nearbyPlans.update(around: position)
        nearbyTerrain.update(around: position)
        nearbyBuildings.update(around: position)
    }

    private func reportHealth() {
        if watchdog.isHealthy(inertialSamples: driver.inertialSamples, poses: driver.poses) { notifier.watchdog() }
    }

    // MARK: signals

    private func receive(signal: Int32) {
        switch signal {
        // With a service manager it is a request to reload, not a closed terminal.
        case SIGHUP where !configuration.isDemonstration || notifier.hasManager: reloadSettings()
        default: stop()
        }
    }

    private func stop() {
        guard !isStopping else { return }
        isStopping = true
        notifier.stopping()
        scene.stop()
        server.shutDown(within: Self.farewell) { [unowned self] in reactor.stop() }
    }

    private func reloadSettings() {
        guard let reload else { return Log.notice("reload ignored: no configuration files in use") }
        notifier.reloading()
        defer { notifier.ready(status: announcer.statusLine) }
        do throws(ConfigurationError) {
            let (running, waiting) = configuration.reloaded(with: try reload())
            configuration = running
            apply()
            let restart = waiting.map(\.path).joined(separator: ", ")
            Log.notice("configuration reloaded" + (restart.isEmpty ? "" : "; takes effect after a restart: \(restart)"))
        } catch {
            for problem in error.problems { Log.error("\(problem)") }
            Log.error("reload failed; keeping the current settings")
        }
    }

    /// Reserves descriptors, so that those held for clients are not missing where a sensor or a recording needs one.
    private func reserveDescriptors() {
        let wanted = server.limits.descriptors + ring.descriptors + Self.ownDescriptors
        let allowed = ProcessResources.allowDescriptors(wanted)
        guard allowed < wanted else { return }
        Log.warning(
            "clients may make this process hold \(wanted) file descriptors (service.max_clients, and what waits to be "
                + "closed); the limit is \(allowed) (LimitNOFILE=)")
    }

    private func apply() {
        Log.threshold = configuration.service.logLevel.priority
        server.limits = ServerLimits(configuration.service)
        ring.places.limit = ShareLimit(ofRingClients: configuration.service)
        reserveDescriptors()
        poseMethods.settings = configuration.pose
        power.apply(configuration.power)
        interfaces.authorization = Authorization(configuration.service)
        calibrations.apply(configuration.calibration)
        scene.apply(configuration)
        recorder.apply(configuration.recording)
    }
}

extension ShareLimit {
    /// Limit of the clients of the pose ring: as that of the others.
    init(ofRingClients section: Configuration.Service) {
        self.init(all: section.maxClients, ofUser: section.maxClientsPerUser, reserve: ServerLimits().reserve)
    }
}

extension ServerLimits {
    /// Limits of the configuration's section.
    init(_ section: Configuration.Service) {
        self.init()
        messageLength = section.maxMessageBytes
        clients = section.maxClients
        streams = section.maxSubscriptions
        clientsOfUser = section.maxClientsPerUser
        streamsOfUser = section.maxSubscriptionsPerUser
        callsOfUser = section.maxPendingCallsPerUser
        pendingCalls = section.maxPendingCallsPerClient
        stallTimeout = Int64(section.stuckClientSeconds * 1e9)
    }
}

extension Configuration.LogLevel {
    /// Priority of the journal that corresponds to the level.
    public var priority: Log.Priority {
        switch self {
        case .error: .error
        case .warning: .warning
        case .notice: .notice
        case .info: .info
        case .debug: .debug
        }
    }
}
