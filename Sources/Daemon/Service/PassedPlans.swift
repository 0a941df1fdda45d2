import PlanMatching
import Synchronization

/// Plans on their way from the thread that reads a recording to the reactor; only the newest are kept.
final class PassedPlans: Sendable {
    private let newest = Mutex<PlanLibrary?>(nil)

    func put(_ library: PlanLibrary) { newest.withLock { $0 = library } }

    /// The plans that were put and have not been taken yet.
    func take() -> PlanLibrary? { newest.withLock { $0.take() } }
}
