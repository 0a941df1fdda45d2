import Linux
import Model
import Persistence
import WaymarkInterface

/// Stores what the estimator learns for the next run, and reports the warm start of this run.
final class WarmStartKeeper: DaemonPart {
    private let reactor: Reactor
    private let repository: WarmStartRepository
    private let driver: EngineDriver
    /// Warm start as last reported.
    private var reported: WarmStartReport?

    /// Interval of the checks that decide whether the warm start is due to be written. Unit: nanoseconds.
    private static let interval: Int64 = 10_000_000_000

    init(_ reactor: Reactor, _ repository: WarmStartRepository, driver: EngineDriver) {
        self.reactor = reactor
        self.repository = repository
        self.driver = driver
    }

    func begin() { reactor.every(Self.interval) { [unowned self] in if repository.isDue { keep() } } }

    private func keep() { repository.keep(driver.engine.learned(), driver.sensors) }

    /// Reports the warm start once, and again when a part of it has been dropped.
    func observe() {
        guard let report = driver.engine.odometry.warmStartReport, report != reported else { return }
        reported = report
        Log.notice("warm start: \(StatusInterface.WarmStart(report, foreign: driver.foreign, absence: nil).line)")
    }

    var message: StatusInterface.WarmStart {
        StatusInterface.WarmStart(
            driver.engine.odometry.warmStartReport, foreign: driver.foreign, absence: repository.absence)
    }

    func requestEnd() {
        keep()
        repository.requestEnd()
    }

    func end(_ budget: TimeBudget) { repository.end(timeoutSeconds: budget.secondsLeft) }
}
