import Configuration
import Linux
import PlaceStore
import Scene
import Varlink

/// `org.waymark.Scene` as a whole: the places, the route, the anchors and the frame, each with its methods, and the scene
/// that is made of them.
final class SceneService {
    private let corrections = LogLimiter("corrections of the scene", lines: 10)
    private let driver: EngineDriver
    private let desk: PlaceRepository
    private let candidates: PlaceCandidates
    private let transfers: PlaceTransfers
    private let routeDesk: RouteDesk
    private let publisher: ScenePublisher
    private let aheadMethods: AheadMethods
    private let placeMethods: PlaceMethods
    private let routeMethods: RouteMethods
    private let anchorMethods: AnchorMethods
    private let groups: [any MethodGroup]

    /// Interval of messages to clients that ask what lies ahead. Unit: nanoseconds.
    private static let aheadInterval: Int64 = 1_000_000_000

    init(
        _ reactor: Reactor, driver: EngineDriver, poses: PosePublisher, moments: PastMoments, world: World,
        configuration: Configuration
    ) throws {
        self.driver = driver
        let authorization = Authorization(configuration.service)
        let settings = configuration.scene
        let known = world.places
        desk = try PlaceRepository(reactor, world.placeFile(configuration.state)) { store throws(DatabaseError) in
            try store.replaceAll(known, of: "waymarkd")
        }
        candidates = PlaceCandidates(desk, settings: settings.places) { Reactor.now }
        transfers = PlaceTransfers(reactor, desk.file)
        routeDesk = try RouteDesk(
            reactor, file: world.routeFile(directory: configuration.state.directory), present: world.route?.id,
            settings: settings.route
        ) { [driver] in driver.follow(plan: $0) }
        publisher = ScenePublisher(driver: driver, settings: settings.placements)
        aheadMethods = AheadMethods(driver: driver, desk: desk)
        placeMethods = PlaceMethods(
            reactor, desk: desk, candidates: candidates, transfers: transfers, settings: settings.places,
            authorization: authorization, position: { [driver] in driver.latestPose?.geodetic })
        routeMethods = RouteMethods(driver: driver, desk: routeDesk, authorization: authorization)
        anchorMethods = AnchorMethods(driver: driver, desk: desk, authorization: authorization)
        groups = [
            SceneViewMethods(driver: driver, publisher: publisher), placeMethods, routeMethods, anchorMethods,
            FrameMethods(driver: driver, publisher: poses, desk: desk), aheadMethods,
            EstimateMethods(driver: driver, moments: moments),
        ]
        driver.outlets.scene = { [publisher, corrections] event in
            if case .correction(let correction) = event.event { corrections.write(.notice, correction.text) }
            publisher.publish(event)
        }
        candidates.onChange = { [driver, unowned candidates] in driver.setPlaces(candidates.places) }
        reactor.every(Self.aheadInterval) { [aheadMethods] in aheadMethods.publish() }
    }

    func answer(_ call: Call) throws(VarlinkError) {
        for group in groups where try group.answer(call) { return }
        throw .methodNotImplemented("\(call.interface).\(call.method)")
    }

    /// Brings back what was kept over the daemon's end.
    func begin() {
        anchorMethods.load()
        routeDesk.restore()
    }

    /// Lets the scene follow the newest pose; to be called after each batch of measurements.
    func publish() { publisher.publish() }

    /// Lets the places around follow the wearer; to be called a few times a second.
    func lookAround() {
        guard let position = driver.latestPose?.geodetic else { return }
        driver.setFilter(candidates.filter)
        candidates.update(around: position)
    }

    func apply(_ configuration: Configuration) {
        let authorization = Authorization(configuration.service)
        let settings = configuration.scene
        driver.apply(settings)
        publisher.settings = settings.placements
        placeMethods.settings = settings.places
        routeDesk.settings = settings.route
        placeMethods.authorization = authorization
        routeMethods.authorization = authorization
        anchorMethods.authorization = authorization
    }

    /// Asks its threads to end; `end` waits for them.
    func requestEnd() {
        transfers.requestEnd()
        desk.requestEnd()
        routeDesk.requestEnd()
    }

    func end(_ budget: TimeBudget) {
        transfers.end(timeoutSeconds: budget.secondsLeft)
        desk.end(timeoutSeconds: budget.secondsLeft)
        routeDesk.end(timeoutSeconds: budget.secondsLeft)
    }
}
