import Linux
import Synchronization

/// Accelerometer, gyroscope, magnetometer and barometer of a Linux IIO board, or of one on the network.
///
/// One thread searches and watches over the others; each device found has a thread with a context of its own, so that
/// a device that hangs, goes or comes back concerns no other.
public final class IIOSource: MeasurementSource {
    private let settings: IIOSettings
    private let queue: MeasurementQueue
    private let pace = PaceControl()
    private let state = Mutex(State())

    private struct State {
        var supervisor: WorkerThread?
        var roster = DeviceRoster()
    }

    /// - Parameter queue: where the measurements go, those of one scan together: specific force before angular rate.
    public init(settings: IIOSettings, queue: MeasurementQueue) {
        self.settings = settings
        self.queue = queue
    }

    public var reports: [DeviceReport] { state.withLock { $0.roster.reports } }

    /// Does nothing when the source runs already.
    public func start() {
        state.withLock { state in
            guard state.supervisor == nil else { return }
            state.supervisor = WorkerThread(name: "iio search") { [self] stop in supervise(stop) }
        }
    }

    /// Into idleness each device goes after its next batch; out of it at once, for then somebody waits.
    public func setPace(_ pace: SamplingPace) {
        guard let wish = self.pace.set(pace), pace == .full else { return }
        for worker in workers { worker.hurry(to: wish.revision) }
    }

    public func requestStop() {
        state.withLock { $0.supervisor?.requestStop() }
        for worker in workers { worker.requestStop() }
    }

    public func stop(timeoutSeconds: Double) {
        requestStop()
        let budget = TimeBudget(seconds: timeoutSeconds)
        let supervisor = state.withLock { state in
            defer { state.supervisor = nil }
            return state.supervisor
        }
        _ = supervisor?.stop(timeoutSeconds: budget.secondsLeft)
        // One that the supervisor started meanwhile.
        for worker in workers { worker.requestStop() }
        for worker in workers { _ = worker.join(timeoutSeconds: budget.secondsLeft) }
        state.withLock { $0.roster.workers = [] }
    }

    private var workers: [DeviceWorker] { state.withLock { $0.roster.workers } }

    private func supervise(_ stop: StopFlag) {
        LibraryChatter.divertOnThisThread()
        let isLocal = settings.contextURI.hasPrefix("local")
        let monitor = isLocal ? UdevMonitor(subsystem: "iio") : nil
        let ended = EventDescriptor()
        var backoff = Backoff()
        var thermometer = Thermometer()
        while !stop.isSet {
            let wanted = state.withLock { $0.roster.wanted(settings) }
            var pause = Self.restPause
            if !wanted.isEmpty {
                search(for: wanted, ended: ended, stop: stop)
                let missing = state.withLock { $0.roster.wanted(settings) }
                if missing.contains(where: isRequired) {
                    pause = backoff.next()
                } else {
                    backoff = Backoff()
                }
            }
            pause = min(pause, thermometer.read(workers, settings: settings, stop: stop))
            if stop.wait(seconds: pause, orReadable: ended.descriptor, monitor?.descriptor ?? -1) {
                ended.clear()
                take(from: monitor, stop)
            }
        }
    }

    /// How often to look for what may be missing. Unit: s.
    private static let restPause = 30.0

    private func isRequired(_ kind: SensorKind) -> Bool { !kind.isOptional || settings.deviceNames[kind] != nil }

    private func take(from monitor: UdevMonitor?, _ stop: StopFlag) {
        while let event = monitor?.receive() {
            for worker in workers where event.action == "remove" && worker.plan.identifier == event.name {
                worker.checkPresence()
            }
        }
    }

    private func search(for wanted: [SensorKind], ended: EventDescriptor, stop: StopFlag) {
        do {
            let context = try IIOContext(
                uri: settings.contextURI, timeoutMilliseconds: settings.silenceMilliseconds, stop: stop)
            let devices = context.summaries
            let plans = DeviceSelection.plans(for: wanted, among: devices, names: settings.deviceNames)
            state.withLock { state in
                for plan in plans where !stop.isSet {
                    state.roster.start(plan, settings: settings, pace: pace, queue: queue, ended: ended)
                }
                for kind in state.roster.wanted(settings) where isRequired(kind) {
                    state.roster.miss(kind, settings: settings, detail: absence(of: kind, devices))
                }
            }
        } catch .stopped {
            return
        } catch {
            state.withLock { state in
                for kind in wanted where isRequired(kind) {
                    state.roster.miss(kind, settings: settings, detail: error.description)
                }
            }
        }
    }

    private func absence(of kind: SensorKind, _ devices: [DeviceSummary]) -> String {
        let names =
            devices.isEmpty ? "none" : devices.prefix(8).map { $0.name ?? $0.identifier }.joined(separator: ", ")
        let channels = kind.channelNames.joined(separator: ", ")
        let wish = settings.deviceNames[kind].map { " named \($0)" } ?? ""
        return "no device\(wish) with \(channels) in \(settings.contextURI); devices present: \(names)"
    }
}
