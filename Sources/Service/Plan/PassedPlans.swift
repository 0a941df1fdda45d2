import PlanMatching
import Synchronization

/// Plans on their way from the thread that reads a recording to the reactor: the newest alone.
final class PassedPlans: Sendable {
    private let newest = Mutex<PlanShelf?>(nil)

    func put(_ shelf: PlanShelf) { newest.withLock { $0 = shelf } }

    /// Those that were put and not taken yet.
    func take() -> PlanShelf? { newest.withLock { $0.take() } }
}
