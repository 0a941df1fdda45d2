import PlanMatching
import Synchronization

/// Plans on their way from the thread that reads a recording to the reactor: the newest alone.
final class PassedPlans: Sendable {
    private let newest = Mutex<PlanLibrary?>(nil)

    func put(_ library: PlanLibrary) { newest.withLock { $0 = library } }

    /// Those that were put and not taken yet.
    func take() -> PlanLibrary? { newest.withLock { $0.take() } }
}
