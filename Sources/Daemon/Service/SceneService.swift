import Configuration
import Linux
import Persistence
import Scene
import Varlink
import SQLite

/// `org.waymark.Scene` as a whole: places, route, anchors and frame, each with its methods, and the scene composed of
/// them.
final class SceneService: DaemonPart {
    private let corrections = LogLimiter("corrections of the scene", lines: 10)
    private let reactor: Reactor
    private let driver: EngineDriver
    private let repository: PlaceRepository
    private let candidates: PlaceCandidates
    private let transfers: PlaceTransfers
    private let routes: RouteLoader
    private let navigation: NavigationService
    private let publisher: ScenePublisher
    private let aheadMethods: AheadMethods
    private let anchorMethods: AnchorMethods
    let methods: SceneMethods

    /// Interval of messages to clients that ask what lies ahead. Unit: nanoseconds.
    private static let aheadInterval: Int64 = 1_000_000_000

    init(
        _ reactor: Reactor, driver: EngineDriver, poses: PosePublisher, moments: PastMoments,
        environment: DaemonEnvironment, configuration: Configuration
    ) throws {
        self.reactor = reactor
        self.driver = driver
        let settings = configuration.scene
        let known = environment.places
        repository = try PlaceRepository(reactor, environment.placeFile(configuration.state)) {
            store throws(DatabaseError) in
            try store.replaceAll(known, of: "waymarkd")
        }
        candidates = PlaceCandidates(
            repository, settings: settings.places, clock: { Reactor.now }, deliver: { driver.engine.setPlaces($0) })
        transfers = PlaceTransfers(reactor, repository.file)
        routes = try RouteLoader(
            reactor, driver: driver, file: environment.routeFile(directory: configuration.state.directory),
            present: environment.route?.id, settings: settings.route)
        navigation = NavigationService(
            reactor, driver: driver, loader: routes, timeoutSeconds: configuration.navigation.timeoutSeconds)
        publisher = ScenePublisher(
            driver: driver, settings: settings.placements, language: configuration.announcements.language)
        aheadMethods = AheadMethods(driver: driver, repository: repository, publisher: publisher)
        anchorMethods = AnchorMethods(driver: driver, repository: repository)
        let filters = FilterMethods(repository: repository, candidates: candidates)
        filters.restore()
        methods = SceneMethods(
            view: SceneViewMethods(driver: driver, publisher: publisher), anchors: anchorMethods,
            places: PlaceMethods(driver: driver, repository: repository, candidates: candidates),
            filters: filters,
            transfers: PlaceTransferMethods(repository: repository, transfers: transfers, reactor: reactor),
            routes: RouteMethods(driver: driver, loader: routes, navigation: navigation, publisher: publisher),
            navigation: NavigationMethods(
                driver: driver, loader: routes, service: navigation,
                search: DestinationSearch(driver: driver, repository: repository), publisher: publisher),
            frames: FrameMethods(driver: driver, publisher: poses, repository: repository), ahead: aheadMethods,
            estimates: EstimateMethods(driver: driver, moments: moments))
    }

    /// Damaged databases of places beside the one in use, the oldest first.
    var damagedPlaces: [DamagedCopy] { repository.file.damagedCopies }

    /// Number of streams of clients that only serve the daemon and request nothing.
    var servingStreams: Int { navigation.navigator == nil ? 0 : 1 }

    /// Cancels the requests of a client whose connection has ended.
    func disconnect(_ client: ClientIdentifier) { navigation.disconnect(client) }

    /// Restores what an earlier run has stored.
    func begin() {
        reactor.every(Self.aheadInterval) { [unowned self] in aheadMethods.publish() }
        anchorMethods.load()
        routes.restore()
    }

    /// Highest rate of a subscriber of the scene; 0 without subscribers. Unit: Hz.
    var highestRate: Double { publisher.highestRate }

    /// Reports an event of the scene to the journal and to the subscribers.
    func take(_ event: TimedEvent) {
        if case .correction(let correction) = event.event { corrections.write(.notice, correction.text) }
        publisher.publish(event)
    }

    /// Publishes the scene for the newest pose; to be called after each batch of measurements.
    func publish() { publisher.publish() }

    /// Loads the places around the wearer; to be called a few times a second.
    func lookAround() {
        guard let position = driver.engine.pose?.geodetic else { return }
        driver.engine.setFilter(candidates.filter)
        candidates.update(around: position)
    }

    func apply(_ configuration: Configuration) {
        let settings = configuration.scene
        driver.engine.apply(settings)
        publisher.settings = settings.placements
        publisher.language = configuration.announcements.language
        candidates.apply(settings.places)
        routes.settings = settings.route
        navigation.timeoutSeconds = configuration.navigation.timeoutSeconds
    }

    func refuseRoutes() { navigation.stop() }

    func requestEnd() {
        transfers.requestEnd()
        repository.requestEnd()
        routes.requestEnd()
    }

    func end(_ budget: TimeBudget) {
        transfers.end(timeoutSeconds: budget.secondsLeft)
        repository.end(timeoutSeconds: budget.secondsLeft)
        routes.end(timeoutSeconds: budget.secondsLeft)
    }
}
