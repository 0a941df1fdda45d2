import Linux
import Synchronization

/// Measurement source for accelerometer, gyroscope, magnetometer and barometer of a local or remote IIO context.
///
/// One thread searches for devices and supervises their threads. Each device has its own thread and context, so that a
/// device that hangs, disappears or returns does not affect the others. That thread also reads the samples, except from
/// buffers in the kernel's own memory, which `collect` reads.
package final class IIOSource: MeasurementSource {
    private let settings: IIOSettings
    private let queue: MeasurementQueue
    private let pace = PaceControl()
    private let reader = DirectReader()
    private let state = Mutex(State())

    private struct State {
        var supervisor: WorkerThread?
        var registry = DeviceRegistry()
    }

    /// Prepares the source; `start` begins the search.
    ///
    /// - Parameter queue: receives the measurements. Measurements of one scan arrive together, specific force before
    ///   angular rate.
    package init(settings: IIOSettings, queue: MeasurementQueue) {
        self.settings = settings
        self.queue = queue
    }

    /// Reports of all devices seen so far and of missing kinds.
    package var reports: [DeviceReport] { state.withLock { $0.registry.reports } }

    package func start() {
        state.withLock { state in
            guard state.supervisor == nil else { return }
            state.supervisor = WorkerThread(name: "iio search") { [self] stop in supervise(stop) }
        }
    }

    package var descriptor: Int32? { settings.isLocal ? reader.descriptor : nil }

    package var needsCollecting: Bool { reader.hasInertial }

    package func collect() { reader.read() }

    /// Changes the pace. Idle devices follow at once, because a client waits; otherwise each device follows after its
    /// next batch, so that the batch is not lost over a network.
    package func setPace(_ pace: SamplingPace) {
        guard let previous = self.pace.set(pace) else { return }
        for worker in workers {
            if previous.pace.isIdle { worker.cancelRead(before: previous.revision + 1) } else { worker.lookAtPace() }
        }
    }

    package func requestStop() {
        state.withLock { $0.supervisor?.requestStop() }
        for worker in workers { worker.requestStop() }
    }

    package func stop(timeoutSeconds: Double) {
        requestStop()
        let budget = TimeBudget(seconds: timeoutSeconds)
        let supervisor = state.withLock { $0.supervisor.take() }
        _ = supervisor?.stop(timeoutSeconds: budget.secondsLeft)
        // The list includes any worker that the supervisor has started meanwhile.
        for worker in workers { worker.requestStop() }
        for worker in workers { _ = worker.join(timeoutSeconds: budget.secondsLeft) }
        state.withLock { $0.registry.workers = [] }
    }

    private var workers: [DeviceWorker] { state.withLock { $0.registry.workers } }

    private func supervise(_ stop: StopFlag) {
        LibraryOutput.divertOnThisThread()
        let monitor = settings.isLocal ? UdevMonitor(subsystem: "iio") : nil
        let ended = EventDescriptor()
        var backoff = Backoff()
        var thermometer = Thermometer()
        while !stop.isSet {
            let wanted = state.withLock { $0.registry.wanted(settings) }
            var pause = Self.searchInterval
            if !wanted.isEmpty {
                search(for: wanted, ended: ended, stop: stop)
                let missing = state.withLock { $0.registry.wanted(settings) }
                if missing.contains(where: isRequired) {
                    pause = backoff.next()
                } else {
                    backoff = Backoff()
                }
            }
            pause = min(pause, thermometer.read(workers, settings: settings, stop: stop))
            if stop.wait(seconds: pause, orReadable: ended.descriptor, monitor?.descriptor ?? -1) {
                ended.clear()
                handleEvents(of: monitor, stop)
            }
        }
    }

    /// Interval of the search for optional sensors. Unit: s.
    private static let searchInterval = 30.0

    private func isRequired(_ kind: SensorKind) -> Bool { !kind.isOptional || settings.isNamed(kind) }

    private func handleEvents(of monitor: UdevMonitor?, _ stop: StopFlag) {
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
            let plans = DeviceSelection.plans(
                for: wanted, among: devices, names: settings.deviceNames, labels: settings.deviceLabels)
            state.withLock { state in
                for plan in plans where !stop.isSet {
                    state.registry.start(
                        plan, settings: settings, pace: pace, queue: queue, reader: reader, ended: ended)
                }
                for kind in state.registry.wanted(settings) where isRequired(kind) {
                    state.registry.reportMissing(kind, settings: settings, detail: absence(of: kind, devices))
                }
            }
        } catch .stopped {
            return
        } catch {
            state.withLock { state in
                for kind in wanted where isRequired(kind) {
                    state.registry.reportMissing(kind, settings: settings, detail: error.description)
                }
            }
        }
    }

    private func absence(of kind: SensorKind, _ devices: [DeviceSummary]) -> String {
        let names =
            devices.isEmpty ? "none" : devices.prefix(8).map { $0.name ?? $0.identifier }.joined(separator: ", ")
        let channels = kind.channelNames.joined(separator: ", ")
        let name = settings.deviceNames[kind].map { " named \($0)" } ?? ""
        let label = settings.deviceLabels[kind].map { " labelled \($0)" } ?? ""
        return "no device\(name)\(label) with \(channels) in \(settings.contextURI); devices present: \(names)"
    }
}

/// Registry of a source's devices: the running and earlier devices, and the kinds without a device.
struct DeviceRegistry {
    var workers: [DeviceWorker] = []
    /// Reports by device name and kinds, so that counts continue when a device comes back.
    private var statuses: [(plan: DevicePlan, status: DeviceStatus)] = []
    private var missing: [(kind: SensorKind, status: DeviceStatus)] = []

    /// Kinds that no running worker delivers.
    mutating func wanted(_ settings: IIOSettings) -> [SensorKind] {
        workers.removeAll(where: \.hasEnded)
        let served = Set(workers.flatMap(\.plan.kinds))
        return SensorKind.allCases.filter { !served.contains($0) }
    }

    mutating func start(
        _ plan: DevicePlan, settings: IIOSettings, pace: PaceControl, queue: MeasurementQueue, reader: DirectReader,
        ended: EventDescriptor
    ) {
        let status = status(for: plan)
        missing.removeAll { plan.kinds.contains($0.kind) }
        workers.append(
            DeviceWorker(
                plan: plan, settings: settings, pace: pace, queue: queue, reader: reader, status: status, ended: ended))
    }

    /// Reports that no device delivers a kind. Uses the report of the device that delivered the kind before, or else a
    /// report for the missing kind.
    mutating func reportMissing(_ kind: SensorKind, settings: IIOSettings, detail: String) {
        if let known = statuses.first(where: { $0.plan.kinds.contains(kind) }) {
            // A device that was unplugged has reported this itself.
            if known.status.snapshot.state != .searching { known.status.set(.searching, detail) }
            return
        }
        if !missing.contains(where: { $0.kind == kind }) {
            missing.append((kind, DeviceStatus(name: kind.rawValue, identifier: settings.contextURI)))
        }
        missing.first { $0.kind == kind }?.status.set(.searching, detail)
    }

    /// Reports of all devices and missing kinds, in the order of the kinds.
    var reports: [DeviceReport] {
        let found = statuses.map { ($0.plan.kinds.first ?? .barometer, $0.status.snapshot) }
        let absent = missing.map { ($0.kind, $0.status.snapshot) }
        return (found + absent).sorted { $0.0 < $1.0 }.map { $0.1 }
    }

    /// Report for a device: the earlier report of the same device, with its current identifier, or a new report.
    /// Removes reports of other devices that delivered the same kinds.
    private mutating func status(for plan: DevicePlan) -> DeviceStatus {
        if let place = statuses.firstIndex(where: { $0.plan.name == plan.name && $0.plan.kinds == plan.kinds }) {
            statuses[place].plan = plan
            statuses[place].status.update { $0.identifier = plan.identifier }
            return statuses[place].status
        }
        statuses.removeAll { old in old.plan.kinds.contains { plan.kinds.contains($0) } }
        let status = DeviceStatus(name: plan.name, identifier: plan.identifier)
        statuses.append((plan, status))
        return status
    }
}
