import Linux
import Persistence
import Scene

/// Lets the plans, terrain and buildings at hand follow the wearer.
final class Surroundings: DaemonPart {
    let plans: PlanRepository
    let terrain: TerrainRepository
    private let driver: EngineDriver
    private let environment: DaemonEnvironment
    private let nearbyPlans: NearbyPlans
    private let nearbyTerrain: NearbyHeights<Terrain>
    private let nearbyBuildings: NearbyHeights<Buildings>

    init(plans: PlanRepository, terrain: TerrainRepository, driver: EngineDriver, environment: DaemonEnvironment) {
        self.plans = plans
        self.terrain = terrain
        self.driver = driver
        self.environment = environment
        nearbyPlans = NearbyPlans(plans, observer: driver)
        nearbyTerrain = .terrain(terrain, observer: driver)
        nearbyBuildings = .buildings(terrain, observer: driver)
    }

    func begin() { lookAround() }

    /// The plans of a recording are its own, and the others are not stored with one.
    func lookAround() {
        if let library = environment.recordedPlans.take() { driver.use(library) }
        guard environment.origin != .replay, let position = driver.engine.pose?.geodetic else { return }
        nearbyPlans.update(around: position)
        nearbyTerrain.update(around: position)
        nearbyBuildings.update(around: position)
    }

    func requestEnd() {
        plans.requestEnd()
        terrain.requestEnd()
    }

    func end(_ budget: TimeBudget) {
        plans.end(timeoutSeconds: budget.secondsLeft)
        terrain.end(timeoutSeconds: budget.secondsLeft)
    }
}
