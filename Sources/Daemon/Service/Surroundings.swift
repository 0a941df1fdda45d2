import Linux
import Persistence
import PlanMatching
import Scene

/// Loads the plans, terrain and buildings around the wearer.
final class Surroundings: DaemonPart {
    let plans: PlanRepository
    let terrain: TerrainRepository
    private let driver: EngineDriver
    private let environment: DaemonEnvironment
    private let nearbyPlans: Nearby<PlanStore, PlanLibrary>
    private let nearbyTerrain: Nearby<TerrainStore, Terrain?>
    private let nearbyBuildings: Nearby<TerrainStore, Buildings?>

    init(plans: PlanRepository, terrain: TerrainRepository, driver: EngineDriver, environment: DaemonEnvironment) {
        self.plans = plans
        self.terrain = terrain
        self.driver = driver
        self.environment = environment
        nearbyPlans = Nearby(plans) { driver.use($0) }
        nearbyTerrain = Nearby(terrain) { driver.engine.use($0) }
        nearbyBuildings = Nearby(terrain) { driver.engine.use($0) }
    }

    func begin() { lookAround() }

    /// Loads what surrounds the wearer. A recording brings its own plans; terrain, buildings and stored plans are not
    /// used with it.
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
